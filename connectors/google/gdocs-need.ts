/** Reads files, and also the contents of documents, spreadsheets and presentations by their own APIs. */
export const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.readonly'

export const DRIVE_NEED = { family: 'workspace', scopes: [DRIVE_SCOPE] } as const
