import { Writable } from 'node:stream'
import { MultiBar } from 'cli-progress'
import { type Output, printable } from '../../lib/terminal-text.ts'
import type { SyncProgress } from '../../sync/run-report.ts'
import { clockTime, span } from '../terminal/relative-time.ts'
import { messages } from './messages.ts'

/** Shows the progress of the runs of connections. */
export interface SyncDisplay {
  /** @param title display name of the connector */
  show(progress: SyncProgress, title: string): void
  /** Prints a permanent line. */
  interrupt(line: string): void
  stop(): void
}

const LINE_EVERY_MS = 5_000
const BAR_LENGTH = 16

/** A bar for each connector on a terminal; elsewhere an occasional line. @param clock for rates and times */
export function startSyncDisplay(output: Output, clock: () => Date): SyncDisplay {
  return output.isTTY ? bars(output, clock) : lines(output, clock)
}

export const SILENT: SyncDisplay = {
  show: () => undefined,
  interrupt: () => undefined,
  stop: () => undefined,
}

interface Bar {
  progress: SyncProgress
  title: string
}

function bars(output: Output, clock: () => Date): SyncDisplay {
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      output.write(chunk)
      done()
    },
  })
  const multi = new MultiBar({
    stream: Object.assign(stream, { isTTY: true, columns: output.columns }),
    // Lines are cut at the terminal's width: a wrapped bar would be redrawn repeatedly below itself.
    linewrap: true,
    clearOnComplete: true,
    // `interrupt` moves the bars down, and an unchanged bar would stay behind.
    forceRedraw: true,
    // On an interrupt, the command ends its runs in order, and stops the bars itself.
    gracefulExit: false,
    format: (_options, _params, bar: Bar) => barLine(bar, clock()),
  })
  const byConnector = new Map<string, Bar>()
  let isDrawn = false
  return {
    show(progress, title) {
      const bar = byConnector.get(progress.connector)
      if (bar === undefined) {
        const first = { progress, title }
        byConnector.set(progress.connector, first)
        multi.create(1, 0, first)
        isDrawn = true
      } else bar.progress = progress
    },
    interrupt: (line) => void (isDrawn ? multi.log(line) : output.write(line)),
    stop() {
      if (!isDrawn) return
      isDrawn = false
      // Draws what `interrupt` left, which `stop` would not.
      multi.update()
      multi.stop()
    },
  }
}

function lines(output: Output, clock: () => Date): SyncDisplay {
  const lastLines = new Map<string, { readonly at: number; readonly waitingUntil: number | undefined }>()
  const started = clock().getTime()
  return {
    show(progress, title) {
      const connection = `${progress.connector}/${progress.name}`
      const now = clock()
      const last = lastLines.get(connection) ?? { at: started, waitingUntil: undefined }
      const waitingUntil = progress.waitingUntil?.getTime()
      const beginsToWait = waitingUntil !== undefined && waitingUntil !== last.waitingUntil
      const isDue = now.getTime() - last.at >= LINE_EVERY_MS
      if (!beginsToWait && !isDue) return
      lastLines.set(connection, { at: now.getTime(), waitingUntil })
      const { waitingUntil: until } = progress
      const doing = until === undefined ? readingText(progress) : `; ${waitingText(until, title, now)}`
      output.write(`${connection}: ${[countsText(progress), ...paceFacts(progress)].join(', ')}${doing}\n`)
    },
    interrupt: (line) => output.write(line),
    stop: () => undefined,
  }
}

/** The most important first, because a narrow terminal cuts off the end. */
function barLine({ progress, title }: Bar, now: Date): string {
  const { partitionsDone: done, partitionsTotal: total } = progress
  const filled = total ? Math.round((BAR_LENGTH * done) / total) : 0
  const bar = '\u2588'.repeat(filled) + '\u2591'.repeat(BAR_LENGTH - filled)
  const facts = [progress.failed === 0 ? itemsText(progress) : countsText(progress)]
  if (progress.waitingUntil !== undefined) facts.unshift(waitingText(progress.waitingUntil, title, now))
  else facts.push(...paceFacts(progress))
  const partition = progress.partition === undefined ? '' : `  ${printable(progress.partition)}`
  return `${progress.connector}/${progress.name}  ${bar} ${done}/${total ?? '?'}  ${facts.join(', ')}${partition}`
}

/** No remaining time is better than a wrong one: it is shown when the source states how much there is. */
function paceFacts({ perMinute, remainingMs, recentDays }: SyncProgress): string[] {
  return [
    ...(perMinute === undefined ? [] : [messages.perMinute(Math.round(perMinute))]),
    ...(remainingMs === undefined ? [] : [messages.left(span(remainingMs / 1_000))]),
    ...(recentDays === undefined ? [] : [messages.recentReady(recentDays)]),
  ]
}

function countsText(progress: SyncProgress): string {
  return messages.failed(itemsText(progress), progress.failed)
}

function itemsText({ items, memorized }: SyncProgress): string {
  return messages.items(items, memorized)
}

function readingText({ partition, partitionsDone, partitionsTotal }: SyncProgress): string {
  if (partition === undefined) return ''
  const name = printable(partition)
  return partitionsTotal === undefined
    ? messages.reading(name)
    : messages.readingOf(name, partitionsDone + 1, partitionsTotal)
}

function waitingText(until: Date, title: string, now: Date): string {
  return messages.waitingFor(title, clockTime(until, now))
}
