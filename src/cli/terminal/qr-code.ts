import { renderUnicodeCompact } from 'uqr'

interface Output {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** A QR code of an address for a terminal that is wide enough, to open it on a phone; empty elsewhere. */
export function qrCode(output: Output, address: string): string {
  if (output.isTTY !== true) return ''
  const code = renderUnicodeCompact(address, { border: 2 })
  const width = code.split('\n', 1)[0]?.length ?? 0
  return width > (output.columns ?? 80) ? '' : `${code}\n`
}
