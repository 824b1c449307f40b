import { type RefObject, useLayoutEffect } from 'react'

interface FileInputProps {
  /** For the button that opens the dialog. */
  readonly input: RefObject<HTMLInputElement | null>
  readonly label: string
  /** File name extensions; absent: all. */
  readonly accept?: string
  readonly onFiles: (files: readonly File[]) => void
}

/** Lets a button open the file dialog, without being visible itself. */
export function FileInput({ input, label, accept, onFiles }: FileInputProps) {
  useLayoutEffect(() => {
    const { current } = input
    if (current === null) return
    // Instead of React's `onChange`, which is silent once the page is gone: the session may end while the file dialog is open.
    current.onchange = () => {
      onFiles([...(current.files ?? [])])
      // Allow selecting the same files again.
      current.value = ''
    }
  }, [input, onFiles])
  return <input ref={input} type="file" multiple accept={accept} className="sr-only" aria-label={label} tabIndex={-1} />
}
