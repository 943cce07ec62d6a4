/**
 * `npm run soak -- --only corpora`: every file of the folder that `PFAR_CORPORA` names, read by the reader of its kind, as others published it. What they say is not
 * judged: a reader that throws, takes long or gives what the kernel would refuse is wrong. Exit code 1 where one is. None of the files belongs to this tree.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { createFeed, readJsonFeed } from '../../integrations/extractors/feed.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { calendarEvents } from '../../sidecar/documents/calendar-text.ts'
import { officeText } from '../../sidecar/documents/office-text.ts'
import { pdfText } from '../../sidecar/documents/pdf-text.ts'
import { feedIn } from '../../sidecar/pages/feed-parse.ts'
import { readPage } from '../../sidecar/pages/page-parse.ts'

/** Milliseconds after which home would have ended the reader. */
const PATIENCE = 10_000
const SITE = 'https://x.example/'

type Reader = (bytes: Uint8Array) => Promise<Result<unknown>> | Result<unknown>
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const feed = (raw: ReturnType<typeof feedIn>): Result<unknown> =>
  raw === null ? err('field_malformed') : ok(createFeed(raw, SITE))

const xml: Reader = (bytes) => feed(feedIn(textOf(bytes)))
const page: Reader = (bytes) => ok(readPage(textOf(bytes), SITE))
const READERS: Readonly<Record<string, Reader>> = {
  ...{ '.docx': officeText, '.xlsx': officeText, '.pptx': officeText },
  ...{ '.odt': officeText, '.ods': officeText, '.odp': officeText },
  '.pdf': (bytes) => pdfText(bytes.slice()),
  '.ics': (bytes) => calendarEvents(bytes, 'Europe/Madrid'),
  ...{ '.rss': xml, '.atom': xml, '.xml': xml, '.html': page, '.htm': page },
  '.json': (bytes) => feed(readJsonFeed(textOf(bytes))),
}

const folder = process.env['PFAR_CORPORA'] ?? ''
const counts = new Map<string, Map<string, number>>()
const count = (kind: string, what: string): void => {
  const of = counts.get(kind) ?? new Map<string, number>()
  counts.set(kind, of.set(what, (of.get(what) ?? 0) + 1))
}

let wrong = 0
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  const kind = extname(path).toLowerCase()
  const reader = READERS[kind]
  if (reader === undefined) continue
  const began = Date.now()
  const fault = await Promise.resolve(readFileSync(join(folder, path)))
    .then(async (bytes) => {
      const read = await reader(new Uint8Array(bytes))
      count(kind, read.ok ? 'read' : read.reason.code)
      return Date.now() - began > PATIENCE ? 'took too long' : null
    })
    .catch((error: unknown) => `threw ${error instanceof Error ? error.message.slice(0, 120) : 'something'}`)
  if (fault === null) continue
  wrong += 1
  count(kind, 'wrong')
  process.stdout.write(`WRONG ${path}: ${fault}\n`)
}
for (const [kind, of] of [...counts].sort())
  process.stdout.write(`${kind}  ${[...of].map(([what, many]) => `${what} ${many}`).join(', ')}\n`)
process.exitCode = wrong === 0 && counts.size > 0 ? 0 : 1
