#!/usr/bin/env bash
# Uses `recall browse` and fzf in a terminal: tests/clients/terminal/run_terminal.sh RECALL [CASE...]
#
# Each case types into a shell in tmux, and waits until the screen shows what is expected. A case
# that waits for more than ten seconds fails, with the screen that there was.
set -euo pipefail
recall=$(realpath "$1")
shift

work=$(mktemp -d)
windows=0 # that were opened, each by a server of its own
tmux() { command tmux -S "$work/tmux$windows" -f /dev/null "$@"; }
end() {
  tmux kill-server 2>/dev/null || true
  # A recall that is still ending may write its history.
  while ! rm -rf "$work" 2>/dev/null; do continue; done
}
trap end EXIT

# ---- Helpers -------------------------------------------------------------------------------------

screen() { tmux capture-pane -p; }

fail() {
  echo "FAILED: $case: $*" >&2
  screen | sed 's/^/  | /' >&2
  exit 1
}

# Runs a command until it succeeds.
until_true() { # until_true DESCRIPTION COMMAND...
  local what=$1 deadline=$((SECONDS + 10))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$deadline" ] || fail "waited in vain for $what"
    sleep 0.02 # between two looks
  done
}

screen_has() { screen | grep -qF -- "$1"; }
screen_lacks() { ! screen_has "$1"; }
see() { until_true "'$1'" screen_has "$1"; }
see_no() { until_true "the end of '$1'" screen_lacks "$1"; }
keys() { tmux send-keys "$@"; }
text() { tmux send-keys -l -- "$1"; }

# Types a command line into the shell.
enter() {
  text "$1"
  keys Enter
}

# A shell in a window of its own, in the directory of the store.
begin() { # begin [COLUMNS ROWS]
  tmux kill-server 2>/dev/null || true
  windows=$((windows + 1))
  state=$work/state$windows
  rm -f "$work/log"
  tmux new-session -d -x "${1:-120}" -y "${2:-24}" -c "$work/store" env -i HOME="$work" PATH="$(dirname "$recall"):$PATH" \
    TERM=tmux-256color XDG_STATE_HOME="$state" WORK="$work" bash --norc --noprofile
  enter 'PS1="ready% "; clear'
  see_no 'PS1'
  see 'ready%'
}

# The process of recall in the shell of the window.
recall_process() { pgrep -x recall -P "$(tmux display -p '#{pane_pid}')"; }

is_main_screen() { [ "$(tmux display -p '#{alternate_on}#{cursor_flag}')" = 01 ]; }

# ---- The store -----------------------------------------------------------------------------------

mkdir -p "$work/store/docs"
(
  cd "$work/store"
  printf '# Zebra\n\nThe striped zebra is an animal of the savanna.\n' >docs/zebra.md
  printf '# Horse\n\nThe horse is an animal of the steppe.\n' >docs/horse.md
  printf '# Hostile\n\nhyena \033]0;owned\007 \033[2J\033[31m red \302\23331m\n' >docs/hostile.md
  printf '# Wide\n\npanda \346\227\245\346\234\254\350\252\236 e\314\201\n' >docs/wide.md
  for i in $(seq 10 60); do printf '# Note %s\n\nA note about the weather, number %s.\n' "$i" "$i" >"docs/note$i.md"; done
  { for i in $(seq 1 30); do echo "filler line $i"; done; echo 'the okapi hides here'; } >docs/long.md
  "$recall" init >/dev/null
  "$recall" add docs --quiet
  printf '{"path": "kb/quagga", "text": "The quagga is extinct.\\n"}\n' | "$recall" add --jsonl - --quiet
  for i in $(seq 0 39); do
    role=human tool=''
    [ $((i % 2)) = 0 ] || { role=assistant; tool='{"session": "talk", "tool": "Bash", "command": "make '$i'"}'; }
    said="Spoken $i of 40."
    [ "$i" != 21 ] || said='The numbat eats termites.'
    printf '{"session": "talk", "role": "%s", "text": "%s", "at": "2026-02-25T10:00:%02dZ", "branch": "main"}\n' $role "$said" "$i"
    [ -z "$tool" ] || echo "$tool"
  done >"$work/talk.jsonl"
  "$recall" capture --from jsonl "$work/talk.jsonl" --quiet
)
cat >"$work/editor" <<'TEXT'
#!/bin/sh
printf '%s\n' "$@" >"$WORK/log"
printf 'in the editor '
read -r line
TEXT
chmod +x "$work/editor"

# ---- Cases ---------------------------------------------------------------------------------------

case_typing_finds() {
  begin
  enter 'recall browse'
  see 'Type a question'
  text 'striped zebra'
  see 'docs/zebra.md:1-3'
  see 'The striped zebra is an animal'
  see ' ms'
  keys C-w C-w
  text 'steppe'
  see 'The horse is an animal'
  keys Escape
  see_no 'The horse'
  until_true "the screen of the shell" is_main_screen
}

case_arrows_change_the_preview() {
  begin
  enter 'recall browse animal'
  see ' of 2 hits'
  local first second
  first=$(screen | grep -o 'The [a-z ]* is an animal')
  keys Down
  see '2/2 of 2 hits'
  second=$(screen | grep -o 'The [a-z ]* is an animal')
  [ "$first" != "$second" ] || fail "the preview is the same"
  keys Up
  see "$first"
}

case_a_filter_and_its_errors() {
  begin
  enter 'recall browse animal'
  see ' of 2 hits'
  keys F3
  see 'filter>'
  text "doc.pat = 'x'"
  keys Enter
  see "unknown field 'doc.pat'"
  see 'did you mean doc.path?'
  keys C-u
  text "doc.path GLOB 'docs/h*'"
  keys Enter
  see '1/1 of 1 hit  '
  see "filter: doc.path GLOB 'docs/h*'"
}

case_explains_a_rank() {
  begin
  enter 'recall browse animal'
  see ' of 2 hits'
  screen_lacks 'bm25' || fail "it explains unasked"
  keys F2
  see 'bm25'
  see 'share'
  keys C-x
  see_no 'bm25'
}

case_other_sizes_of_the_window() {
  begin 120 24
  enter 'recall browse animal'
  see ' │ '
  tmux resize-window -x 40 -y 10
  see '────────'
  see_no ' │ '
  tmux resize-window -x 20 -y 5
  see_no '────────'
  see '> animal'
  see '.md:1-3'
  tmux resize-window -x 120 -y 24
  see ' │ '
  see 'F1 help'
  text ' striped'
  see 'The striped zebra'
}

case_stops_and_goes_on() {
  begin
  enter 'recall browse animal'
  see ' of 2 hits'
  keys C-z
  see 'Stopped'
  until_true "the screen of the shell" is_main_screen
  enter 'stty -a | grep -o " -\?icanon"'
  see ' icanon'
  enter 'fg'
  see ' of 2 hits'
  text ' striped'
  see 'The striped zebra'
}

# A signal ends the program; the modes of the terminal are those of before.
restores_after() { # restores_after SIGNAL EXIT
  begin
  enter 'stty -a >$WORK/before; recall browse animal; echo "exit $?"; stty -a >$WORK/after; echo the "end"'
  see ' of 2 hits'
  kill "-$1" "$(recall_process)"
  see "exit $2"
  see 'the end'
  cmp "$work/before" "$work/after" || fail "other modes after SIG$1"
  until_true "the screen of the shell" is_main_screen
}

case_signals_leave_the_terminal_as_it_was() {
  restores_after TERM 130
  restores_after INT 130
  restores_after HUP 130
  restores_after QUIT 130
}

case_a_crash_leaves_the_terminal_as_it_was() {
  restores_after SEGV 139
  restores_after ABRT 134
}

case_the_editor_gets_line_and_file() {
  begin
  enter 'EDITOR=$WORK/editor recall browse okapi'
  see 'okapi hides'
  keys Enter
  see 'in the editor'
  [ "$(cat "$work/log")" = "+31
$work/store/docs/long.md" ] || fail "the editor got: $(cat "$work/log")"
  keys Enter
  see 'okapi hides'
  see ' of 1 hit'
  text ' more'
  see '> okapi more'
}

case_an_editor_that_is_missing() {
  begin
  enter 'EDITOR=no-such-editor recall browse okapi'
  see 'okapi hides'
  keys Enter
  see "cannot run 'no-such-editor'"
}

case_a_document_without_a_file_is_paged() {
  begin
  enter 'EDITOR=$WORK/editor recall browse quagga'
  see 'kb/quagga'
  keys Enter
  see '(END)'
  see 'The quagga is extinct'
  keys q
  see ' of 1 hit'
}

case_a_hostile_document_is_text() {
  begin
  enter 'recall browse hyena'
  see '\x1b]0;owned\x07'
  see '\x1b[2J\x1b[31m red \x9b31m'
  see '> hyena'
  [ "$(tmux display -p '#{pane_title}')" != owned ] || fail "the document has set the title"
}

case_wide_characters_keep_their_columns() {
  begin
  enter 'recall browse panda'
  see 'panda 日本語'
  # The separator is in one column on all rows.
  local columns
  columns=$(screen | grep ' │ ' | sed 's/日\|本\|語/xx/g; s/'$'\314\201''//g; s/…/x/g' |
    awk -F'│' '{print length($1)}' | sort -u | wc -l)
  [ "$columns" = 1 ] || fail "the columns are not aligned"
}

case_quick_keys_are_not_lost() {
  begin
  enter 'recall browse'
  see 'Type a question'
  local quick=''
  for i in $(seq 1 50); do quick+='x'; done
  text "$quick"
  # shellcheck disable=SC2046
  keys $(for i in $(seq 1 50); do echo BSpace; done)
  text 'zebra'
  see '> zebra'
  see 'The striped zebra'
  screen_lacks 'xz' || fail "keys were lost"
}

case_unknown_keys_do_nothing() {
  begin
  enter 'recall browse zebra'
  see 'The striped zebra'
  keys M-q C-Right F12 C-]
  text ' striped'
  see '> zebra striped'
}

case_pasted_lines_are_one_question() {
  begin
  enter 'EDITOR=$WORK/editor recall browse'
  see 'Type a question'
  printf 'striped\nzebra\n' | tmux load-buffer -
  tmux paste-buffer -p
  see '> striped zebra'
  see 'The striped zebra'
  [ ! -e "$work/log" ] || fail "a pasted newline has opened the editor"
}

case_prints_a_citation() {
  begin
  enter 'x=$(recall browse --print zebra); echo "[$x] $?"'
  see 'The striped zebra'
  keys Enter
  see '[docs/zebra.md:1-3] 0'
  enter 'clear; recall get "$x" | tail -1'
  see 'The striped zebra'
  enter 'clear; x=$(recall browse --print zebra); echo "[$x] $?"'
  see 'The striped zebra'
  keys Escape
  see '[] 130'
  enter 'clear; recall browse horse'
  see 'The horse'
  keys C-g
  see_no ' hit'
  see 'docs/horse.md:1-3'
}

case_recalls_earlier_questions() {
  begin
  enter 'recall browse okapi'
  see 'okapi hides'
  keys Escape
  see_no 'hides'
  [ "$(cat "$state/recall/history")" = okapi ] || fail "the history is not there"
  [ "$(stat -c %a "$state/recall/history")" = 600 ] || fail "others can read the history"
  enter 'clear; recall browse'
  see 'Type a question'
  keys Up
  see '> okapi'
  see 'okapi hides'
  keys Escape
  see_no 'hides'
  enter 'clear; recall browse --no-history zebra'
  see 'The striped zebra'
  keys Escape
  see_no 'striped'
  [ "$(cat "$state/recall/history")" = okapi ] || fail "--no-history has kept a question"
}

case_links_lead_to_other_documents() {
  (cd "$work/store" && "$recall" save lesson 'Quokka one' --id q1 --text 'See [[q2]] and [[nowhere]].' --quiet &&
    "$recall" save lesson 'Quokka two' --id q2 --text '検索 of two' --quiet)
  begin
  enter 'recall browse quokka one'
  see ' ms'
  keys F4
  see '● Quokka one  lesson'
  see '→ related  notes/nowhere.md  missing'
  see '2 out, 0 in'
  keys Down
  see 'There is no such document.'
  keys Enter
  see 'notes/nowhere.md is missing'
  keys Down
  see '検索 of two'
  keys Enter
  see '● Quokka two  lesson'
  see '← related  Quokka one'
  tmux resize-window -x 20 -y 5
  see '0 out, 1 in  F1 help'
  tmux resize-window -x 100 -y 20
  see '│ 検索 of two'
  keys BSpace
  see '2 out, 0 in'
  keys Escape
  see '> quokka one'
  keys F5
  see 'view: entries'
  keys F5
  see 'view: memory'
  keys C-u
  see '2 listed, the newest first'
  see_no '0.000'
  keys F5
  see 'view: sessions'
  keys F5
  see_no 'view:'
  keys Escape
  until_true "the screen of the shell" is_main_screen
  (cd "$work/store" && "$recall" rm q1 q2 --purge --quiet)
}

case_the_first_screen_shows_the_store() {
  begin 80 24
  enter 'recall browse'
  see 'Type a question'
  see 'store  '
  see ' documents, '
  see 'Documents'
  see 'Sessions'
  see 'session jsonl  main  2026-02-25'
  tmux resize-window -x 40 -y 10
  see 'text '
  see_no 'Sessions'
  tmux resize-window -x 20 -y 4
  see '> Type a question'
  see 'text '
  see '1/9 '
  tmux resize-window -x 80 -y 24
  see 'Sessions'
  text 'striped'
  see 'The striped zebra'
  see_no 'Sessions'
  keys C-u
  see 'Sessions'
  keys Escape
  until_true "the screen of the shell" is_main_screen
}

case_what_is_listed_first_is_opened() {
  begin
  enter 'EDITOR=$WORK/editor recall browse --filter "doc.path = '"'docs/long.md'"'"'
  see 'filler line 19'
  keys Enter
  see 'in the editor'
  grep -qx "$work/store/docs/long.md" "$work/log" || fail "the editor got: $(cat "$work/log")"
  keys Enter
  see 'Type a question'
}

case_several_results_are_printed_opened_and_copied() {
  begin
  enter "TMUX=$work/tmux$windows,0,0 EDITOR=\$WORK/editor recall browse --no-history animal"
  see ' of 2 hits'
  keys Tab Tab
  see '2 marked'
  see '● '
  keys C-s
  see 'in the editor'
  [ "$(LC_ALL=C sort "$work/log" | tr '\n' ' ')" = "+3 $work/store/docs/horse.md $work/store/docs/zebra.md " ] ||
    fail "the editor got: $(cat "$work/log")"
  keys Enter
  see '2 marked'
  keys C-y
  see 'copied 2 citations'
  until_true "the buffer" eval '[ "$(tmux show-buffer | LC_ALL=C sort | tr "\n" " ")" = "docs/horse.md:1-3 docs/zebra.md:1-3 " ]'
  keys C-u
  text 'okapi'
  see 'okapi hides'
  see '2 marked'
  keys Tab
  see '3 marked'
  keys Enter
  see 'docs/long.md:1-31'
  until_true "the screen of the shell" is_main_screen
  [ "$(screen | grep -c '^docs/.*:[0-9]*-[0-9]*$')" = 3 ] || fail "not all are printed"
  enter 'clear; x=$(recall browse --print animal); echo "[$x] $?"'
  see ' of 2 hits'
  keys M-a
  see '2 marked'
  keys M-a
  see_no 'marked'
  keys M-a Enter
  see '] 0'
  [ "$(screen | grep -o 'docs/[a-z]*.md:1-3' | wc -l)" = 2 ] || fail "not both are printed"
}

case_matches_are_seen_without_colours() {
  begin
  # Bold and underlined in a terminal of two colours; bold and yellow in others.
  enter 'TERM=vt220 recall browse striped'
  see 'The striped zebra'
  tmux capture-pane -ep | grep -qP '\e\[[0-9;]*4m[^\e]*striped' || fail "the matches are not underlined"
  ! tmux capture-pane -ep | grep -qP '\e\[([0-9]+;)*3[0-7]m' || fail "there are colours"
  keys Escape
  see 'ready%' # this terminal has no second screen, so the first one keeps what was shown
  enter 'clear; NO_COLOR=1 recall browse striped'
  see 'The striped zebra'
  ! tmux capture-pane -ep | grep -qP '\e\[([0-9]+;)*3[0-7]m' || fail "there are colours"
  keys Escape
}

case_help_has_all_keys_in_any_window() {
  for size in '80 24' '40 10' '20 4'; do
    # shellcheck disable=SC2086
    begin $size
    enter 'clear; recall browse zebra'
    see '> zebra'
    keys F1
    see 'Results'
    keys -N 240 NPage
    see 'kept'
    keys x
    see '> zebra'
    screen_lacks 'zebrax' || fail "the key that closes the page is no text"
  done
}

case_notes_are_written_in_the_editor() {
  cat >"$work/noter" <<'TEXT'
#!/bin/sh
for file; do :; done
if [ -e "$WORK/fails" ]; then echo 'half a thought' >>"$file"; exit 3; fi
sed -i 's/^title:.*/title: Tapir 日本語/; $a The tapir text.' "$file"
TEXT
  chmod +x "$work/noter"
  begin
  touch "$work/fails"
  enter 'EDITOR=$WORK/noter recall browse'
  see 'Type a question'
  keys F9
  see 'the editor ended with status 3'
  see 'the text is kept in'
  grep -q 'half a thought' "$state"/recall/drafts/new-*.md || fail "the text is lost"
  [ "$(stat -c %a "$state"/recall/drafts)" = 700 ] || fail "others can read the text"
  rm "$work/fails"
  keys F9
  see 'saved notes/tapir-'
  see 'Tapir 日本語  lesson'
  [ -z "$(ls "$state/recall/drafts")" ] || fail "a draft is left"
  text 'tapir'
  see '1/1 of 1 hit'
  see 'half a thought'
  keys F8
  see 'changed notes/tapir-'
  keys Escape
  until_true "the screen of the shell" is_main_screen
  [ "$(cd "$work/store" && "$recall" get 'tapir-日本語' | grep -c 'The tapir text')" = 2 ] ||
    fail "the note was not changed"
  enter 'clear; unset EDITOR VISUAL; recall browse tapir'
  see '1/1 of 1 hit'
  keys F8
  see 'there is no editor'
  keys Escape
  (cd "$work/store" && "$recall" rm 'tapir-日本語' --purge --quiet)
}

case_definitions_lead_to_their_uses() {
  mkdir -p "$work/code"
  printf 'int helper(int a) {\n  return a + 1;\n}\n\nint other(void) {\n  return helper(2);\n}\n' >"$work/code/one.c"
  (cd "$work/code" && "$recall" init >/dev/null && "$recall" add one.c --quiet)
  begin 100 24
  enter 'cd $WORK/code; clear; recall browse helper'
  see 'code one.c'
  keys F7
  if [ -z "$(cd "$work/code" && "$recall" symbols helper 2>/dev/null)" ]; then
    see 'has no definitions' # of a build without grammars
    return 0
  fi
  see 'definitions of one.c'
  see '1 helper  function'
  see '5 other  function'
  keys Home
  text r
  see 'uses of helper'
  see 'one.c:6  other  return helper(2);'
  text f
  see 'definitions of one.c'
  text q
  see '> helper'
  tmux resize-window -x 20 -y 4
  keys F7
  see '1 helper'
  keys Home C-g
  see 'one.c:1-3'
}

case_a_session_is_a_conversation() {
  begin
  enter 'recall browse --view sessions numbat'
  see 'jsonl  main  2026-02-25  assistant 21'
  see '◂ assistant 21  2026-02-25 10:00:21'
  see 'The numbat eats'
  see '  Bash $ make 21'
  keys S-Right
  see_no 'The numbat eats'
  see '▸ human 22'
  keys M-j M-j
  see_no '▸ human 22'
  see 'Spoken 24 of 40'
  keys S-Left M-k M-k
  see '◂ assistant 21  2026-02-25 10:00:21'
  see '> numbat' # these keys are no text
  keys M-k
  see '▸ human 20'
  tmux resize-window -x 40 -y 12
  see '▸ human 20'
}

case_reviews_are_one_less_due() {
  begin 20 5
  (cd "$work/store" && "$recall" save lesson 'Wide 日本語 title' --id wide --text 'the 検索 text' --at 2026-01-01 --quiet)
  enter 'clear; recall browse --review; recall review --list'
  see '1 of 1'
  see 'Wide 日本語 title'
  keys Enter
  see 'the 検索 text'
  see '0..5  s  q'
  tmux resize-window -x 80 -y 24
  see '0 forgotten .. 3 with effort .. 5 at once'
  text 4
  see 'All is reviewed.'
  text q
  see 'nothing is due'
  until_true "the screen of the shell" is_main_screen
  (cd "$work/store" && "$recall" rm wide --purge --quiet)
}

case_reviews_leave_the_terminal_as_it_was() {
  (cd "$work/store" && "$recall" save lesson 'Due again' --id due --text text --at 2026-01-01 --quiet)
  for signal in INT TERM; do
    begin
    enter 'stty -a >$WORK/before; recall browse --review; echo "exit $?"; stty -a >$WORK/after; echo the "end"'
    see 'Due again'
    kill "-$signal" "$(recall_process)"
    see 'exit 130'
    see 'the end'
    cmp "$work/before" "$work/after" || fail "other modes after SIG$signal"
    until_true "the screen of the shell" is_main_screen
  done
  (cd "$work/store" && "$recall" rm due --purge --quiet)
}

case_says_what_is_missing() {
  begin
  enter 'cd $WORK; mkdir -p empty none; cd none; recall browse; echo "exit $?"'
  see 'error: store not found'
  see 'exit 3'
  enter 'cd ../empty; clear; [ -e recall.db ] || recall init >/dev/null; recall browse anything'
  see 'The store is empty'
  keys Escape
  see_no 'The store is empty'
  enter 'clear; recall browse </dev/null; echo "exit $?"'
  see 'browse needs a terminal'
  see 'exit 3'
  enter 'clear; TERM=nonsense recall browse; echo "exit $?"'
  see "the terminal 'nonsense' cannot show a screen"
  see 'exit 3'
}

case_fzf_shows_results_with_a_preview() {
  begin
  enter "recall search --format fzf animal | fzf -d '\\t' --with-nth 2.. --no-sort --preview 'recall get {1}' --bind 'enter:become(recall get {1})'"
  see '2/2'
  see ' is an animal'
  text 'zebra'
  see '1/2'
  keys Enter
  see 'The striped zebra'
  (cd "$work/store" && "$recall" search --format fzf animal | fzf -d '\t' --with-nth 2.. --filter horse | cut -f 1) |
    grep -qx 'docs/horse.md:1-3' || fail "fzf --filter"
}

# `save --ask` and `review` read lines; Ctrl-C ends both at any question.
case_questions_are_answered_or_interrupted() {
  begin
  enter 'mkdir -p $WORK/asked; cd $WORK/asked; [ -e recall.db ] || recall init >/dev/null; clear; recall save --ask'
  see 'Type ('
  enter 'lesson'
  see 'Title:'
  enter 'Asked for'
  see 'only a dot'
  enter 'The text.'
  enter '.'
  see 'Situation'
  keys Enter
  see 'saved notes/asked-for.md'
  enter clear
  see_no 'Title:'
  enter 'recall save --ask lesson; echo "exit $?"'
  see 'Title:'
  keys C-c
  see 'exit 130'
  enter clear
  see_no 'exit 130'
  enter 'recall review asked-for; echo "exit $?"'
  see 'Enter shows it'
  keys C-c
  see 'exit 130'
}

# ---- Run -----------------------------------------------------------------------------------------

cases=("$@")
[ "${#cases[@]}" -gt 0 ] || mapfile -t cases < <(declare -F | sed -n 's/^declare -f case_//p')
for case in "${cases[@]}"; do
  "case_$case"
  echo "ok: ${case//_/ }"
done
