# Arranges the installed files as Debian expects them, before they are packed.
cmake_policy(VERSION 3.25)
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)

# Debian's zsh looks for completions of packages there.
file(MAKE_DIRECTORY ${share}/zsh)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)

file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -9n ${pages} ${share}/doc/recall/CHANGELOG.md COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${share}/doc/recall/CHANGELOG.md.gz ${share}/doc/recall/changelog.gz)

file(READ ${share}/doc/recall/LICENSE license)
file(REMOVE ${share}/doc/recall/LICENSE)
file(WRITE ${share}/doc/recall/copyright "Recall, SQLite for document data.\n\n${license}")

# The units name the program where it was installed for the package.
file(GLOB units ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/lib/systemd/user/*.service)
foreach(unit ${units})
  file(READ ${unit} text)
  string(REGEX REPLACE "ExecStart=[^ ]*" "ExecStart=/usr/bin/recall" text "${text}")
  file(WRITE ${unit} "${text}")
endforeach()
