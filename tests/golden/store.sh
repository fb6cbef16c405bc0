# Makes the store that every case starts with.
recall init --chunk-tokens 40 --overlap-tokens 8
recall add docs --tag guide --source handbook --extract-meta
recall add src --tag code --code-chunker plain
recall add notes
