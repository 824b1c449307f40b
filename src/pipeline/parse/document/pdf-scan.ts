import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { isPdfProblem } from './pdf.ts'

/** An image larger than this is left out: A3 at 600 dpi has 70 million pixels. */
const MOST_PIXELS = 80_000_000
/** Smaller images are logos and lines. */
const LEAST_WIDTH = 200
const LEAST_HEIGHT = 40

/** Brightness of each pixel, from 0 to 255, row by row. */
interface GrayImage {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

export interface PageScan {
  /** PGM files: a scan is one image, or several strips of the same width, which are joined. */
  readonly images: readonly Uint8Array[]
  /** Whether an image could not be decoded: this build of pdf.js has no decoder for fax, JBIG2 and JPEG 2000. */
  readonly isIncomplete: boolean
}

export async function readPageImages(bytes: Uint8Array, pageNumber: number): Promise<PageScan> {
  const pdf = await getDocumentProxy(bytes, { verbosity: 0, disableFontFace: true, maxImageSize: MOST_PIXELS })
  try {
    const page = await pdf.getPage(pageNumber)
    const { fnArray, argsArray } = await page.getOperatorList()
    const { OPS } = await getResolvedPDFJS()
    const images: GrayImage[] = []
    let isIncomplete = false
    for (const [at, operator] of fnArray.entries()) {
      const isMask = operator === OPS.paintImageMaskXObject
      const isInline = operator === OPS.paintInlineImageXObject
      if (!isMask && !isInline && operator !== OPS.paintImageXObject) continue
      const given: unknown = argsArray[at]?.[0]
      const image = isMask || isInline ? given : await pageObject(page, given)
      const pixels = isMask ? await maskPixels(page, image) : grayPixels(image)
      if (pixels) images.push(pixels)
      else isIncomplete = true
    }
    const large = joinStrips(images).filter(({ width, height }) => width >= LEAST_WIDTH && height >= LEAST_HEIGHT)
    return { images: large.map(pgm), isIncomplete }
  } catch (error) {
    if (isPdfProblem(error)) return { images: [], isIncomplete: true }
    throw error
  } finally {
    await pdf.loadingTask.destroy()
  }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>

/** An object that pdf.js decodes apart from the page; those of several pages have names that begin with `g_`. */
function pageObject(page: Page, name: unknown): Promise<unknown> {
  if (typeof name !== 'string') return Promise.resolve(undefined)
  return new Promise((resolve) => (name.startsWith('g_') ? page.commonObjs : page.objs).get(name, resolve))
}

/** The parts of a decoded image of pdf.js that are used; none when it was too large or damaged. */
function imageData(image: unknown): (GrayImage & { readonly kind?: unknown }) | undefined {
  if (typeof image !== 'object' || image === null) return undefined
  const { width, height, data, kind } = image as Record<string, unknown>
  if (typeof width !== 'number' || typeof height !== 'number') return undefined
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) return undefined
  return { width, height, kind, pixels: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) }
}

async function maskPixels(page: Page, mask: unknown): Promise<GrayImage | undefined> {
  const data = typeof mask === 'object' && mask !== null ? Reflect.get(mask, 'data') : undefined
  const found = imageData(typeof data === 'string' ? await pageObject(page, data) : mask)
  return found && bitPixels(found)
}

function grayPixels(image: unknown): GrayImage | undefined {
  const found = imageData(image)
  if (found === undefined) return undefined
  const { width, height, pixels } = found
  const channels = pixels.length / (width * height)
  if (channels !== 3 && channels !== 4)
    return pixels.length >= bytesPerRow(width) * height ? bitPixels(found) : undefined
  const gray = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < gray.length; at++, from += channels) {
    // Weights of ITU-R BT.601, in 256ths.
    gray[at] = ((pixels[from] ?? 0) * 77 + (pixels[from + 1] ?? 0) * 150 + (pixels[from + 2] ?? 0) * 29) >> 8
  }
  return { width, height, pixels: gray }
}

/** Expands rows of one bit per pixel to one byte per pixel. */
function bitPixels({ width, height, pixels }: GrayImage): GrayImage {
  const gray = new Uint8Array(width * height)
  const rowBytes = bytesPerRow(width)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = pixels[y * rowBytes + (x >> 3)] ?? 0
      if (byte & (0x80 >> (x & 7))) gray[y * width + x] = 255
    }
  }
  return { width, height, pixels: gray }
}

function bytesPerRow(width: number): number {
  return (width + 7) >> 3
}

function joinStrips(images: readonly GrayImage[]): GrayImage[] {
  const joined: GrayImage[][] = []
  for (const image of images) {
    const strips = joined.at(-1)
    const height = strips?.reduce((sum, strip) => sum + strip.height, image.height) ?? 0
    if (strips?.[0]?.width === image.width && height * image.width <= MOST_PIXELS) strips.push(image)
    else joined.push([image])
  }
  return joined.map((strips) => {
    const [first] = strips as [GrayImage]
    if (strips.length === 1) return first
    const height = strips.reduce((sum, strip) => sum + strip.height, 0)
    return { width: first.width, height, pixels: Buffer.concat(strips.map(({ pixels }) => pixels)) }
  })
}

/** A binary PGM (https://netpbm.sourceforge.net/doc/pgm.html). */
function pgm({ width, height, pixels }: GrayImage): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels])
}
