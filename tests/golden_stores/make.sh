#!/bin/sh
# Makes the store of README.md in an empty directory, with the `recall` on the PATH. All versions of
# the program understand these commands.
set -eu
export LC_ALL=C.UTF-8 TZ=UTC RECALL_EMBEDDING_DIM=16

write() { mkdir -p "$(dirname "$1")" && cat > "$1"; }
day() { touch -d "2026-01-$1 10:20:30.123456789" "$2"; }

write docs/start.md <<'EOF'
---
title: How to start
status: open
priority: 2
ratio: 0.25
draft: false
due-date: 2026-02-04
labels: [install, first steps]
---

# Start

Sow the seeds of the otter under a thin layer of sand.

## Install

Run `make install`, then water every second day until the heron comes.

### Without a garden

A window towards the south is enough for one pot.
EOF
write docs/limits.md <<'EOF'
---
title: Limits
status: closed
priority: 10
due-date: 2026-02-04T09:30:00Z
labels: [limits]
---

# Limits

No pot holds more than nine litres. Whoever waters twice answers with HTTP 429.

| pot | litres |
| --- | --- |
| small | 3 |
| large | 9 |
EOF
write docs/größe.md <<'EOF'
# Größe und Maß

Ein Fuß ist kürzer als eine Elle; naïve Schätzungen täuschen.

# Μέτρο

Πάντων χρημάτων μέτρον ἐστὶν ἄνθρωπος.

# 尺寸

七个花盆放在窗台上。
EOF
write src/pot.c <<'EOF'
#include <stdio.h>

/* Litres that fit into a pot. */
static int pot_volume(int height, int width) {
  return height * width * width / 1000;
}

int main(void) {
  printf("%d\n", pot_volume(20, 15));
  return 0;
}
EOF
write src/water.py <<'EOF'
class WaterPlan:
    """Every second day."""

    def next_day(self, today):
        return today + 2

def waterAllPots(plan, pots):
    for pot in pots:
        pot.water(plan)
EOF
write notes/todo.txt <<'EOF'
Buy sand. Ask the neighbour about the heron.

Repair the badger fence before the frost.
EOF
printf 'lines\r\nthat end\r\nas on Windows, the last without an end' > notes/crlf.txt
: > notes/empty.txt
printf '\357\273\277Behind a byte order mark: lapwing.\n' > notes/mark.txt
write notes/plan.txt <<'EOF'
The first plan mentions a curlew by the pond and was not a good one.
EOF
write notes/gone.txt <<'EOF'
Nobody will read about the dotterel again.
EOF
write notes/labels.txt <<'EOF'
This text stays as it is; its labels do not.
EOF
for i in $(seq 4080); do
  case $i in
    1234) echo 'a kingfisher sits on the fence today' ;;
    3999) echo 'another kingfisher sits on the roof' ;;
    *) echo "a$((i % 40)) b c d e f" ;;
  esac
done | write many.txt

day 01 docs/start.md; day 02 docs/limits.md; day 03 docs/größe.md; day 04 src/pot.c
day 05 src/water.py; day 06 notes/todo.txt; day 07 notes/crlf.txt; day 08 notes/empty.txt
day 09 notes/mark.txt; day 10 notes/plan.txt; day 11 notes/gone.txt; day 12 notes/labels.txt
day 13 many.txt

recall init --chunk-tokens 8 --overlap-tokens 2
recall add docs --tag guide --source handbook --extract-meta           # commit 1
recall add src --tag code                                              # 2
recall add notes --source 'by hand'                                    # 3
recall add many.txt                                                    # 4: makes a segment

write notes/plan.txt <<'EOF'
The second plan mentions a plover by the pond and an otter.
EOF
day 14 notes/plan.txt
write docs/limits.md <<'EOF'
---
title: Limits
status: open
priority: 11
labels: [limits, edited]
---

# Limits

No pot holds more than ten litres.
EOF
day 15 docs/limits.md
recall add docs/limits.md --tag guide --source handbook --extract-meta # 5: an edit
recall add notes/plan.txt --source 'by hand'                           # 6: an edit
recall rm notes/gone.txt                                               # 7
recall add notes/labels.txt --tag relabelled --source elsewhere        # 8: new labels, same text
write docs/late.md <<'EOF'
# Late

## Appendix

The last document came when the segment was there: a wryneck.
EOF
day 16 docs/late.md
recall add docs/late.md --tag guide --extract-meta                     # 9: to the delta
