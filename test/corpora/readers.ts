/** The reader of each kind of file, by the end of its name. Called by main.ts and by the test of the files that stand here. */
import { createFeed, readJsonFeed } from '../../integrations/extractors/feed.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { calendarEvents } from '../../sidecar/documents/calendar-text.ts'
import { officeText } from '../../sidecar/documents/office-text.ts'
import { pdfText } from '../../sidecar/documents/pdf-text.ts'
import { feedIn } from '../../sidecar/pages/feed-parse.ts'
import { readPage } from '../../sidecar/pages/page-parse.ts'

/** Milliseconds after which home would have ended the reader. */
export const PATIENCE = 10_000
const SITE = 'https://x.example/'

type Reader = (bytes: Uint8Array) => Promise<Result<unknown>> | Result<unknown>
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const feed = (raw: ReturnType<typeof feedIn>): Result<unknown> =>
  raw === null ? err('field_malformed') : ok(createFeed(raw, SITE))

const xml: Reader = (bytes) => feed(feedIn(textOf(bytes)))
const page: Reader = (bytes) => ok(readPage(textOf(bytes), SITE))
export const READERS: Readonly<Record<string, Reader>> = {
  ...{ '.docx': officeText, '.xlsx': officeText, '.pptx': officeText },
  ...{ '.odt': officeText, '.ods': officeText, '.odp': officeText },
  '.pdf': (bytes) => pdfText(bytes.slice()),
  '.ics': (bytes) => calendarEvents(bytes, 'Europe/Madrid'),
  ...{ '.rss': xml, '.atom': xml, '.xml': xml, '.html': page, '.htm': page },
  '.json': (bytes) => feed(readJsonFeed(textOf(bytes))),
}
