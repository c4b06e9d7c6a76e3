#!/bin/sh
# Stands in for fpm: keeps what electron-builder asks it for, and the files that would go beside the app into the deb.
# electron-builder ends the line with pairs FILE=PLACE, the app's own folder first.
for word in "$@"; do
  printf '%s\n' "$word" >> "$STAND_IN_FPM/words"
  from=${word%%=*}
  case $word in
    *=/usr/*)
      mkdir -p "$STAND_IN_FPM/root${word#*=}"
      rmdir "$STAND_IN_FPM/root${word#*=}"
      cp "$from" "$STAND_IN_FPM/root${word#*=}"
      ;;
  esac
  if [ "$before" = --package ]; then : > "$word"; fi
  if [ "$before" = --after-install ]; then cp "$word" "$STAND_IN_FPM/after-install"; fi
  before=$word
done
