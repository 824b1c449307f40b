#!/bin/sh
# Pins every image of the Dockerfile and the compose files to its tag's current digest, and prints the digests.
# Run it again to update, then review and commit the diff. Needs docker with buildx and access to the registry.
set -eu
cd "${1:-$(dirname "$0")}"

for file in Dockerfile compose.yaml compose.scaled.yaml; do
  sed -nE 's#^(ARG [A-Z_]+=| *image: )(docker\.io/[^@ ]+)(@sha256:[0-9a-f]+)?$#\2#p' "$file"
done | sort -u | while read -r image; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  case "$digest" in sha256:*) ;; *) echo "no digest for $image: $digest" >&2; exit 1 ;; esac
  for file in Dockerfile compose.yaml compose.scaled.yaml; do
    sed -E "s#^((ARG [A-Z_]+=| *image: )$(printf %s "$image" | sed 's/[.]/\\./g'))(@sha256:[0-9a-f]+)?\$#\1@$digest#" "$file" >"$file.new"
    cat "$file.new" >"$file"
    rm "$file.new"
  done
  echo "$image@$digest"
done
