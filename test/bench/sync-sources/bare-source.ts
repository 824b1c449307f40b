/** A source that is no API of requests over HTTP: a mail server, a calendar, files. */
export interface BareSource {
  readonly connector: string
  readonly config: Record<string, unknown>
  /** What people count, with how it is read: `mails at 80 ms a response`. */
  readonly noun: string
  readonly count: number
  /** What `bare` does. */
  readonly against: string
  /** Reads the same without a connector; the time it took in ms. */
  bare(): Promise<number>
  /** Times the client waited for the server so far. */
  roundTrips?(): number
  close(): Promise<void>
}

/** @param share of the full size; 1 for figures that are to be told */
export type OpenBareSource = (share: number) => Promise<BareSource>
