#!/bin/sh
# Creates the secrets of compose.scaled.yaml in a folder that only its owner can enter. Existing files are kept.
set -eu
folder=${1:?usage: make-secrets.sh FOLDER, such as config/docker/secrets}
umask 077
mkdir -p "$folder"
chmod 700 "$folder"

# @param $1 name of the file; its content comes from standard input
keep() {
  if [ -e "$folder/$1" ]; then cat >/dev/null; return; fi
  # Users in containers have other ids on this machine; the folder's mode protects the files.
  cat >"$folder/$1.new"
  chmod 444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  echo "created $folder/$1"
}
random() { head -c 64 /dev/urandom | base64 | tr -dc 'A-Za-z0-9' | head -c "$1"; }

random 32 | keep postgres-password
head -c 32 /dev/urandom | keep secret.key
# recalld warns about a key that others can read; only root can change its owner to the image's user.
if [ "$(id -u)" -eq 0 ]; then chown 10001 "$folder/secret.key" && chmod 400 "$folder/secret.key"; fi
printf '[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n' "$(random 20)" "$(random 40)" | keep s3-credentials
id=$(sed -n 's/^aws_access_key_id = //p' "$folder/s3-credentials")
key=$(sed -n 's/^aws_secret_access_key = //p' "$folder/s3-credentials")
printf '{"identities": [{"name": "recalld", "credentials": [{"accessKey": "%s", "secretKey": "%s"}], "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}\n' "$id" "$key" | keep s3-identities.json
printf '# Settings of every process. Any setting of config/README.md can be added.\ndatabase_url: "postgres://recalld:%s@postgres/recalld"\n' "$(cat "$folder/postgres-password")" | keep config.yaml
