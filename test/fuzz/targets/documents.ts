/**
 * Fuzz targets of files and pages that strangers write: calendar files, office documents, PDFs, feeds, what a page states of itself, transcripts, health
 * exports. Each parser as its process or thread calls it, so that what it throws by contract is the refusal that home makes of it. Called by all.ts.
 */
import { createFeed, readJsonFeed } from '../../../integrations/extractors/feed.ts'
import { statedFacts } from '../../../integrations/extractors/page-data.ts'
import {
  actionsIn,
  TRANSCRIPT_ACTIONS,
  TRANSCRIPT_TOPICS,
  topicsIn,
} from '../../../integrations/extractors/transcript.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { calendarEvents } from '../../../sidecar/documents/calendar-text.ts'
import { officeText } from '../../../sidecar/documents/office-text.ts'
import { pdfText } from '../../../sidecar/documents/pdf-text.ts'
import { createAppleReader } from '../../../sidecar/health/apple-export.ts'
import { feedIn } from '../../../sidecar/pages/feed-parse.ts'
import { docx, icsOf, openDocument, pptx, wordP, xlsx } from '../../fakes/office.ts'
import { pdfOf } from '../../fakes/pdf.ts'
import { exported, night, record } from '../../health/apple.ts'
import { textOf } from '../nodes.ts'
import { CANARY, type Target } from '../target.ts'

const NOW = Date.parse('2026-11-27T10:00:00Z')
const SITE = 'https://x.example/'

const bytesOf = (input: unknown): Uint8Array =>
  // A copy: the library of PDFs takes the memory of what it reads.
  input instanceof Uint8Array ? input.slice() : new TextEncoder().encode(textOf(input))
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const told = (read: Result<unknown>): Result<unknown> => (read.ok ? ok(plain(read.value)) : read)
/** As `document-child.ts` takes what a parser throws. */
const isolated =
  (parse: (bytes: Uint8Array) => Promise<Result<unknown>> | Result<unknown>) =>
  async (input: unknown): Promise<Result<unknown>> => {
    try {
      return told(await parse(bytesOf(input)))
    } catch {
      return err('field_malformed')
    }
  }

const CALENDARS: readonly string[] = [
  icsOf([
    ...[
      'DTSTART;TZID=Europe/Madrid:20261127T130000',
      'DURATION:PT1H',
      `SUMMARY:${CANARY}`,
      'LOCATION:Plaza 1',
    ],
    ...['RRULE:FREQ=WEEKLY;UNTIL=20270101T000000Z', 'ATTENDEE;CN=Tom:mailto:tom@example.org'],
    ...[`ORGANIZER:mailto:ada@example.org`, `DESCRIPTION:a\\n${CANARY}`],
  ]),
  icsOf(['DTSTART;VALUE=DATE:20261224', 'STATUS:CANCELLED'], { method: 'CANCEL' }),
]
const RSS = `<?xml version="1.0"?><rss version="2.0"><channel><title>${CANARY}</title><item><guid isPermaLink="true">https://x.example/1</guid><title><![CDATA[${CANARY}]]></title><pubDate>Fri, 27 Nov 26 09:00:00 EST</pubDate></item></channel></rss>`
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>${CANARY}</title><entry><id>1</id><title type="html">&lt;b&gt;${CANARY}</title><link rel="alternate" href="/a"/><updated>2026-11-27T09:00:00Z</updated></entry></feed>`
const ARTICLE = {
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': ['NewsArticle'],
      headline: CANARY,
      datePublished: '2026-11-27',
      author: [{ '@type': 'Person', name: CANARY }],
    },
  ],
}
const SPOKEN = `Ada: The budget and the invoice first. Tom: I will send the budget by Friday. Ada: ${CANARY}, please call the bank.`

const feedOf = (raw: ReturnType<typeof feedIn>): Result<unknown> =>
  raw === null ? err('field_malformed') : ok(plain(createFeed(raw, SITE)))
/** Every time that a feed tells is one. */
const feedFault = (value: unknown): string | null => {
  const { items } = value as { readonly items: readonly { readonly date?: string; readonly link?: string }[] }
  const odd = items.find(({ date }) => typeof date === 'string' && Number.isNaN(Date.parse(date)))
  return odd === undefined ? null : `the date ${odd.date}`
}

const among = (allowed: readonly string[], found: readonly string[]): boolean =>
  found.every((one) => allowed.includes(one))

export const DOCUMENT_TARGETS: readonly Target[] = [
  {
    ...{ name: 'calendar file', form: 'bytes', samples: CALENDARS, open: true },
    parse: isolated((bytes) => calendarEvents(bytes, 'Europe/Madrid')),
  },
  {
    ...{ name: 'office document', form: 'bytes', slow: true, open: true },
    samples: [
      new Uint8Array(docx(wordP(CANARY), { title: CANARY })),
      new Uint8Array(
        xlsx([
          { name: CANARY, rows: `<row r="1"><c r="A1" t="inlineStr"><is><t>${CANARY}</t></is></c></row>` },
        ]),
      ),
      new Uint8Array(pptx([[`<a:p><a:r><a:t>${CANARY}</a:t></a:r></a:p>`]])),
      new Uint8Array(openDocument('text', `<text:p>${CANARY}</text:p>`, CANARY)),
    ],
    parse: isolated(officeText),
  },
  {
    ...{ name: 'PDF', form: 'bytes', slow: true, open: true },
    samples: [new Uint8Array(pdfOf({ pages: [CANARY, 'two'] }))],
    parse: isolated(pdfText),
  },
  {
    ...{ name: 'feed in XML', form: 'text', samples: [RSS, ATOM], open: true, fault: feedFault },
    parse: (input) => feedOf(feedIn(String(input))),
  },
  {
    ...{ name: 'feed in JSON', form: 'json', open: true, fault: feedFault },
    samples: [
      {
        ...{ version: 'https://jsonfeed.org/version/1.1', title: CANARY },
        items: [
          {
            id: '1',
            url: 'https://x.example/1',
            content_text: CANARY,
            date_published: '2026-11-27T09:00:00Z',
          },
        ],
      },
    ],
    parse: (input) => feedOf(readJsonFeed(String(input))),
  },
  {
    ...{ name: 'what a page states of itself', form: 'json', samples: [ARTICLE], open: true },
    parse: (input) => ok(plain(statedFacts([String(input)]))),
  },
  {
    ...{ name: 'transcript', form: 'text', samples: [SPOKEN] },
    parse: (input) => ok({ topics: topicsIn(String(input)), actions: actionsIn(String(input)) }),
    fault: (value) => {
      const { topics, actions } = value as {
        readonly topics: readonly string[]
        readonly actions: readonly string[]
      }
      const isClosed = among(TRANSCRIPT_TOPICS, topics) && among(TRANSCRIPT_ACTIONS, actions)
      return isClosed ? null : 'a value of its own'
    },
  },
  {
    ...{ name: 'health export', form: 'text' },
    samples: [
      exported(
        night('AsleepCore', '2026-11-19 23:30:00', '2026-11-20 06:43:00', CANARY),
        record({
          type: 'StepCount',
          value: '8431',
          unit: 'count',
          from: '2026-11-19 09:00:00',
          source: CANARY,
        }),
      ),
    ],
    // In pieces, as a file comes.
    parse: (input) => {
      const reader = createAppleReader(NOW)
      const text = String(input)
      for (let at = 0; at < text.length; at += 700) reader.push(text.slice(at, at + 700))
      return told(reader.end())
    },
  },
]
