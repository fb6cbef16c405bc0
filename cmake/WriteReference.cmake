# Writes manual pages and completions to the layout of the install prefix: ${OUT}/share/...
function(recall output)
  execute_process(COMMAND ${RECALL} ${ARGN} OUTPUT_FILE ${output} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUT})
set(share ${OUT}/share)
file(MAKE_DIRECTORY ${share}/bash-completion/completions ${share}/zsh/site-functions
  ${share}/fish/vendor_completions.d)
recall(${OUT}/log man --directory ${share}/man/man1)
recall(${share}/bash-completion/completions/recall completions bash)
recall(${share}/zsh/site-functions/_recall completions zsh)
recall(${share}/fish/vendor_completions.d/recall.fish completions fish)
file(TOUCH ${OUT}/stamp)
