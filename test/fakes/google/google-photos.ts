import { type GoogleReply, GoogleServer, googleError, googlePage } from './google-server.ts'

interface MadeSession {
  polls: number
  /** After so many polls the person is done. */
  readonly pickedAfter: number
}

/** The Photos Picker, with a person who picks what is in `picked`. */
export class GooglePhotos implements AsyncDisposable {
  readonly picked: object[] = []
  readonly sessions = new Map<string, MadeSession>()
  readonly server: GoogleServer
  pickedAfter = 2
  pollInterval = '5s'

  static async open(): Promise<GooglePhotos> {
    return new GooglePhotos(await GoogleServer.start())
  }

  private constructor(server: GoogleServer) {
    this.server = server
    server.route('POST', '/v1/sessions', () => {
      const id = `session-${this.sessions.size + 1}`
      this.sessions.set(id, { polls: 0, pickedAfter: this.pickedAfter })
      return this.#told(id)
    })
    server.route('GET', '/v1/sessions/{id}', ({ groups }) => {
      const session = this.sessions.get(groups.id ?? '')
      if (session !== undefined) session.polls += 1
      return this.#told(groups.id ?? '')
    })
    server.route('DELETE', '/v1/sessions/{id}', ({ groups }) =>
      this.sessions.delete(groups.id ?? '') ? { body: {} } : googleError(404, 'notFound'),
    )
    server.route('GET', '/v1/mediaItems', ({ query }) => {
      const session = this.sessions.get(query.get('sessionId') ?? '')
      if (session === undefined) return googleError(404, 'notFound')
      if (session.polls < session.pickedAfter) return googleError(400, 'FAILED_PRECONDITION')
      const page = googlePage(this.picked, query, { listing: 'picked', most: 100, standard: 50 })
      if (page === undefined) return googleError(400, 'INVALID_ARGUMENT')
      const { entries: mediaItems, ...rest } = page
      return { body: { mediaItems, ...rest } }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }

  get config() {
    return { name: 'me', token: this.server.token, api_url: this.server.url }
  }

  add(id: string, filename: string): void {
    const mediaFileMetadata = { width: 4000, height: 3000, cameraMake: 'Google', cameraModel: 'Pixel 8' }
    const mediaFile = { baseUrl: 'https://lh3.example/x', mimeType: 'image/jpeg', filename, mediaFileMetadata }
    this.picked.push({ id, createTime: '2024-07-14T10:00:00Z', type: 'PHOTO', mediaFile })
  }

  #told(id: string): GoogleReply {
    const session = this.sessions.get(id)
    if (session === undefined) return googleError(404, 'notFound')
    return {
      body: {
        id,
        pickerUri: `https://photos.google.com/picker/${id}`,
        pollingConfig: { pollInterval: this.pollInterval, timeoutIn: '60s' },
        mediaItemsSet: session.polls >= session.pickedAfter,
      },
    }
  }
}
