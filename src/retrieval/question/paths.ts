/** A file, a folder or a page of an app: `credentials.json`, `/etc/restic/password`, `C:\Tools`, `Event Viewer → Application`. */
export const PATH =
  /(?<![\p{L}\p{N}:/.])(?:~|\.{1,2})?\/[\p{L}\p{N}_.-]+\/[\p{L}\p{N}_./-]+|`[^`\s]*[\p{L}\p{N}]\.\p{Ll}{2,5}`|\b\p{Lu}:\\[\p{L}\p{N}_.]|\p{L} (?:→|›) \p{Lu}/u
