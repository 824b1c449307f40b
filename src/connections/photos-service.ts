/** Photos that a person picks in a browser, as commands use it; the composition root makes it. */
export interface PhotosService extends AsyncDisposable {
  /**
   * Has the person pick photos for a connection of `photos`; its next run takes what was picked.
   *
   * @returns how many
   * @throws AppError `invalid` when no such connection is configured, or several and none is named; those of the source
   */
  pick(options: PhotoPick): Promise<number>
}

export interface PhotoPick {
  /** Of the connection; only needed when there are several. */
  readonly name?: string | undefined
  readonly signal: AbortSignal
  /** Called once, with the address that the person opens. */
  readonly onAddress: (url: string) => void
}
