/** A message of an exported chat. */
export interface ChatMessage {
  readonly at: Date
  readonly from: string
  readonly text: string
}

/** A chat of a messenger, with its messages in order. */
export interface ExportedMessages {
  /** The same in every export of this chat. */
  readonly key: string
  readonly name: string
  readonly messages: readonly ChatMessage[]
}

/** What an export of several chats holds. */
export interface ExportedChats {
  readonly chats: readonly ExportedMessages[]
  /** Messages of an unknown form, which are left out. */
  readonly unreadable: number
}
