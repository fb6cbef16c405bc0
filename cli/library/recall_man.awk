# Writes the manual page recall(3), of which every sentence is a comment of recall.h:
#
#   awk -v version=VERSION -v page=PAGE -f recall_man.awk recall.h
#
# A block of the header is a comment with the declarations below it, up to an empty line. It becomes a subsection that
# is called as its functions. In a comment, lines that are indented by five spaces behind the star are an example; three
# spaces and a quoted word begin an item of a list, and so does a word with a full stop and two spaces.

function escaped(text) {
  gsub(/\\/, "\\e", text)
  if (text ~ /^[.']/) text = "\\&" text
  return text
}

# In code, a "-" is one, and not a hyphen.
function escaped_code(text) {
  text = escaped(text)
  gsub(/-/, "\\-", text)
  return text
}

function put(line) { body = body line "\n" }

# Macros of an open example or list are ended.
function leave(now) {
  if (state == "code") put(".EE\n.RE")
  else if (state == "item" && now != "item") put(".PP")
  state = now
}

function put_code(line) {
  if (state != "code") {
    leave("code")
    put(".PP\n.RS 4\n.EX")
  }
  put(escaped_code(line))
}

function put_item(tag, text) {
  leave("item")
  put(".TP\n.B " escaped_code(tag))
  put(escaped(text))
}

# Empty lines within an example are its own, others end a paragraph.
function put_comment(lines, count, i, line, tag) {
  state = "text"
  for (i = 1; i <= count; ++i) {
    line = lines[i]
    if (line ~ /^    [^ ]/ && state != "item") {
      put_code(substr(line, 5))
    } else if (line ~ /^    / && state == "code") {
      put_code(substr(line, 5))
    } else if (match(line, /^  "[a-z_]+" +/)) {
      tag = substr(line, 3, RLENGTH - 2)
      sub(/ +$/, "", tag)
      put_item(tag, substr(line, RLENGTH + 1))
    } else if (match(line, /^[A-Z][a-z]+\.  +/)) {
      tag = substr(line, 1, index(line, ".") - 1)
      put_item(tag, substr(line, RLENGTH + 1))
    } else if (line ~ /^ *$/) {
      if (i == count) continue
      if (state == "code" && lines[i + 1] ~ /^    /) {
        put("")
      } else {
        leave("text")
        if (body !~ /\.PP\n$/) put(".PP")
      }
    } else {
      sub(/^ +/, "", line)
      if (state == "code") leave("text")
      put(escaped(line))
    }
  }
  leave("text")
}

# The names that declarations have: functions, an enumeration, a structure.
function title_of(i, line, title) {
  title = ""
  for (i = 1; i <= declarations; ++i) {
    line = declaration[i]
    if (line ~ /^RECALL_API / && match(line, /recall_[a-z_]+\(/)) {
      line = substr(line, RSTART, RLENGTH - 1)
      names = names ", " line
      title = title (title == "" ? "" : ", ") line "()"
    } else if (line ~ /^enum recall_[a-z_]+ \{/) {
      title = substr(line, 1, index(line, " {") - 1)
    } else if (line ~ /^typedef struct recall_[a-z_]+ \{/) {
      title = substr(line, 9, index(line, " {") - 9)
    }
  }
  return title
}

function put_block(i, line, title) {
  if (declarations > 0) {
    title = title_of()
    if (title != "") put(".SS " title)
    state = "text"
    for (i = 1; i <= declarations; ++i) {
      line = declaration[i]
      # Further lines of a function are indented as in the header.
      if (!sub(/^RECALL_API /, "", line)) sub(/^           /, "", line)
      put_code(line)
    }
    leave("text")
    put(".PP")
    put_comment(comment, comments)
  }
  comments = declarations = 0
}

BEGIN { state = "text" }

# The comment at the head describes the whole.
NR == 1 {
  sub(/^\/\* recall\.h: /, "")
  purpose = $0
  in_head = 1
  next
}
in_head && /^ \*\// {
  put(".SH DESCRIPTION")
  put_comment(comment, comments)
  comments = in_head = 0
  next
}
in_head {
  line = $0
  sub(/^ \* ?/, "", line)
  if (comments > 0 || line != "") comment[++comments] = line
  next
}

/^\/\* ---- / {
  put_block()
  line = $0
  gsub(/^\/\* -+ | -+ \*\/$/, "", line)
  put(".SH " toupper(line))
  next
}
# What is for the preprocessor alone.
/^#(if|else|endif|include|define RECALL_API|define RECALL_H)/ || /^extern "C"/ || /^}$/ { next }
/^\/\*/ {
  put_block()
  line = $0
  sub(/^\/\* /, "", line)
  in_comment = line !~ /\*\/$/
  sub(/ *\*\/$/, "", line)
  comment[++comments] = line
  next
}
in_comment {
  line = $0
  in_comment = line !~ /\*\/$/
  sub(/ *\*\/$/, "", line)
  sub(/^ \* ?/, "", line)
  comment[++comments] = line
  next
}
/^$/ { put_block(); next }
{ declaration[++declarations] = $0 }

END {
  put_block()
  sub(/\.$/, "", purpose)
  printf ".TH RECALL 3 \"\" \"Recall %s\" \"Recall\"\n", version >page
  printf ".SH NAME\nrecall%s \\- %s\n", names, purpose >page
  printf ".SH SYNOPSIS\n.nf\n.B #include <recall.h>\n.PP\ncc ... $(pkg\\-config \\-\\-cflags \\-\\-libs recall)\n.fi\n" >page
  printf "%s", body >page
  printf ".SH SEE ALSO\n.BR recall (1)\n" >page
}
