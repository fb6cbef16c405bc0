#!/bin/sh
# Makes documents.db: documents whose texts were extracted from files of other formats, of which one
# has an older version, one no text, and one a damaged file.
set -eu
export LC_ALL=C.UTF-8 TZ=UTC RECALL_STORE="$PWD/documents.db" RECALL_EMBEDDING=hash

mkdir -p files
recall init --chunk-tokens 16 --overlap-tokens 2
cat > files/page.html <<'END'
<!DOCTYPE html><html><head><title>Herons</title></head><body><main>
<h1>Herons</h1><p id="intro">The grey heron stands by the pond and waits for a frog.</p>
<h2 id="nests">Nests</h2><p>Herons breed in colonies, high in old trees, from March on.</p>
</main></body></html>
END
cat > files/letter.eml <<'END'
From: Ada <ada@example.org>
To: Ben <ben@example.org>
Subject: The otter
Date: Mon, 05 Jan 2026 10:00:00 +0000
Message-ID: <otter@example.org>
Content-Type: text/plain; charset=utf-8

The otter was seen by the weir again.
END
cat > files/counts.ipynb <<'END'
{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
 {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# Counts of birds\n", "One row for each day of the year."]},
 {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": 1, "source": ["total = sum(days)\n", "print(total)"],
  "outputs": [{"output_type": "stream", "name": "stdout", "text": ["412 lapwings\n"]}]}]}
END
printf '%%PDF-1.4 of which nothing else is left\n' > files/broken.pdf
touch -d '2026-01-05 12:00' files/*
recall add files --quiet
sed -i 's/a frog/an eel/' files/page.html
touch -d '2026-01-06 12:00' files/page.html
recall add files --tag wildlife --quiet
rm -r files
