/**
 * Files as others published them (SOURCES.md), each read by the reader of its kind: none throws or takes long, what is read fits what home takes from a reader,
 * and what is refused is listed with its reason. `npm run soak -- --only corpora` reads more of them (J-01, J-05, J-08, J-12).
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { invitedEvent } from '../../integrations/extractors/document.ts'
import type { Feed } from '../../integrations/extractors/feed.ts'
import type { Page } from '../../integrations/extractors/page.ts'
import type { FoundEvents } from '../../sidecar/documents/calendar-text.ts'
import { PATIENCE, READERS } from './readers.ts'

/**
 * By kind: how many there are at least, and those that are refused. A calendar of tasks, notes or busy times has no event; a
 * drawing and an empty page no text; a file with a password none that can be read, and a PDF in Japanese needs tables of
 * characters that are not brought along.
 */
const KINDS: Readonly<
  Record<string, { readonly least: number; readonly refused: Readonly<Record<string, string>> }>
> = {
  ics: {
    least: 42,
    refused: {
      'golang-ical-rfc5545sec4-input3.ics': 'nothing_found',
      'golang-ical-rfc5545sec4-input4.ics': 'nothing_found',
      'golang-ical-rfc5545sec4-input5.ics': 'nothing_found',
      'golang-ical-rfc5545sec4-input6.ics': 'nothing_found',
      'ical-test8.ics': 'nothing_found',
      'ical-test10.ics': 'nothing_found',
      'ical-test11.ics': 'nothing_found',
      'python-icalendar-time.ics': 'nothing_found',
    },
  },
  feeds: { least: 70, refused: { 'parser-universal-unknown_feed.xml': 'field_malformed' } },
  pages: { least: 25, refused: {} },
  pdf: {
    least: 58,
    refused: {
      'Fpdf_AddSpotColor.pdf': 'nothing_found',
      'Fpdf_EmbeddedFiles.pdf': 'nothing_found',
      'Fpdf_ImageOptions.pdf': 'nothing_found',
      'Fpdf_LinearGradient_gradient.pdf': 'nothing_found',
      'Fpdf_MoveTo_path.pdf': 'nothing_found',
      'Fpdf_RegisterImageOptionsReader.pdf': 'nothing_found',
      'Fpdf_RoundedRect.pdf': 'nothing_found',
      'Fpdf_SetLineJoinStyle_caps.pdf': 'nothing_found',
      'Fpdf_SetModificationDate.pdf': 'nothing_found',
      'Fpdf_SetProtection.pdf': 'key_unavailable',
      'pdfminer-jo.pdf': 'nothing_found',
      'qpdf-bad1.pdf': 'field_malformed',
      'qpdf-issue-99b.pdf': 'field_malformed',
      'qpdf-page-with-no-resources.pdf': 'nothing_found',
    },
  },
  sheets: {
    least: 27,
    refused: {
      'populate-encryption-in.xlsx': 'key_unavailable',
      'populate-encryption-out.xlsx': 'key_unavailable',
    },
  },
  slides: { least: 1, refused: {} },
  open: { least: 2, refused: {} },
  office: {
    least: 19,
    refused: {
      'docx4js-blank.docx': 'nothing_found',
      'python-docx-default.docx': 'nothing_found',
      'empty.docx': 'nothing_found',
      'external-picture.docx': 'nothing_found',
      'tiny-picture-target-base-relative.docx': 'nothing_found',
      'tiny-picture.docx': 'nothing_found',
    },
  },
}

const folderOf = (kind: string): string => join(import.meta.dirname, kind)

async function read(kind: string, name: string): Promise<unknown> {
  const reader = READERS[extname(name)]
  if (reader === undefined) throw new Error(`nothing reads ${name}`)
  const began = performance.now()
  const made = await reader(new Uint8Array(readFileSync(join(folderOf(kind), name))))
  expect([name, performance.now() - began < PATIENCE]).toEqual([name, true])
  return made.ok ? made.value : made.reason.code
}

const isText = ({ text }: { readonly text: string }): boolean => text.trim() !== '' && text.isWellFormed()

/** What home takes from the reader of a kind; false where something is not of it. */
const FITS: Readonly<Record<string, (value: never) => boolean>> = {
  ics: ({ events }: FoundEvents) => events.every((one) => invitedEvent(one) !== null),
  feeds: ({ items }: Feed) => items.every(({ link = '' }) => link === '' || URL.canParse(link)),
  pages: ({ links, date }: Page) =>
    links.every((one) => URL.canParse(one)) && !Number.isNaN(Date.parse(date ?? '2026-01-01')),
  ...{ pdf: isText, office: isText, sheets: isText, slides: isText, open: isText },
}

describe.each(Object.entries(KINDS))('published files: %s', (kind, { least, refused }) => {
  const names = readdirSync(folderOf(kind)).sort()

  it('are as many as are said here', () => expect(names.length).toBeGreaterThanOrEqual(least))

  it('are read or refused for their reason, in time', { timeout: 120_000 }, async () => {
    const found: Record<string, string> = {}
    for (const name of names) {
      const made = await read(kind, name)
      if (typeof made === 'string') found[name] = made
      else expect([name, FITS[kind]?.(made as never)]).toEqual([name, true])
    }
    expect(found).toEqual(refused)
  })
})

describe('what they say', () => {
  const eventsIn = async (name: string) => ((await read('ics', name)) as FoundEvents).events

  it('of a repetition, a zone and a whole day', async () => {
    const [repeated] = await eventsIn('ical-example_rrule.ics')
    expect(repeated).toMatchObject({
      from: '2017-06-01T14:00:00Z',
      to: '2017-06-01T22:00:00Z',
      repeats: true,
    })
    const [, day] = await eventsIn('ical-test1.ics')
    expect(day).toMatchObject({ title: '[Async]: Everything Express', from: '2011-03-24', allDay: true })
  })

  it.each([
    ['structured-data-example.html', 'Example Headline in JSON-LD', 'C Smith', '2019-01-01'],
    ['turtle_article.html', 'Turtles are AWESOME!!1', 'Turtle Lvr', '2012-02-04T12:00:00Z'],
    ['turtle_article_case.html', 'Turtles are AWESOME!!1', 'Turtle Lvr', '2012-02-04T12:00:00Z'],
    ['turtle_movie.html', 'Turtles of the Jungle', 'Turtle Lvr', '2012-02-04'],
    ['turtle_article_errors.html', '', null, null],
  ])('of the page %s', async (name, title, author, date) => {
    expect(await read('pages', name)).toMatchObject({ title, author, date })
  })
})

it('all of them together stay small', () => {
  const bytes = Object.keys(KINDS).flatMap((kind) =>
    readdirSync(folderOf(kind)).map((name) => statSync(join(folderOf(kind), name)).size),
  )
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(1_300_000)
})
