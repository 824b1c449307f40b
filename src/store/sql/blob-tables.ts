/** As the migration `blobs` makes them. */
export interface BlobTables {
  blob_write: BlobRow
  blob_garbage: BlobRow
}

interface BlobRow {
  key: string
  account_key: number
  at: number
}
