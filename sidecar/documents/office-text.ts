/**
 * Text and title of an office document: Word, Excel, PowerPoint (ECMA-376) and OpenDocument. Macros, formulas, comments, embedded files, and what is
 * hidden from people are not read. Must not run in home's own process: its input is hostile. Called by document-child.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import {
  elementText,
  mainRelation,
  type OfficeParts,
  type OfficeText,
  officeParts,
  relationsOf,
} from './office-parts.ts'
import { openDocumentText } from './open-document.ts'
import { sheetTexts } from './sheet-text.ts'
import { createLines, OFFICE_TEXT, plain } from './text-lines.ts'
import { readXmlEvents } from './xml-events.ts'

type Main = Pick<OfficeText, 'kind'> & { readonly part: string }

/** Of the main part, in the list of contents: also of templates, and of files that hold macros, which are not read. */
const MAIN_TYPES: readonly (readonly [RegExp, OfficeText['kind']])[] = [
  [/wordprocessingml\.(?:document|template)\.main|ms-word\.[\w.]+main/i, 'document'],
  [
    /spreadsheetml\.(?:sheet|template)\.main|ms-excel\.(?:sheet|template)\.macroEnabled\.main/i,
    'spreadsheet',
  ],
  [/presentationml\.(?:presentation|slideshow|template)\.main|ms-powerpoint\.[\w.]+main/i, 'presentation'],
]

/** Refusals: field_malformed for what is no such document, key_unavailable for an encrypted one, nothing_found for one without text. */
export async function officeText(bytes: Uint8Array): Promise<Result<OfficeText>> {
  const parts = await officeParts(bytes)
  if (!parts.ok) return parts
  try {
    const read = await readParts(parts.value)
    if (read === null) return err('field_malformed')
    const { title = '', text, ...rest } = read
    const shown = plain(title).trim().slice(0, OFFICE_TEXT.title)
    const whole = text.slice(0, OFFICE_TEXT.all).toWellFormed().trim()
    return whole === ''
      ? err('nothing_found')
      : ok({ ...rest, text: whole, ...(shown !== '' && { title: shown }) })
  } catch {
    return err('field_malformed')
  }
}

async function readParts(parts: OfficeParts): Promise<OfficeText | null> {
  const open = await openDocumentText(parts)
  if (open !== null) return open
  const main = await mainOf(parts)
  if (main === null) return null
  const title = await titleOf(parts)
  const { kind, part } = main
  if (kind === 'document') return { kind, title, text: await wordTexts(parts, part) }
  if (kind === 'spreadsheet') return { kind, title, text: await sheetTexts(parts, part) }
  const slides = await slidesOf(parts, part)
  return { kind, title, text: slides.join('\n\n'), pages: slides.length }
}

/** By the list of contents: some programs give the main part a name of their own, and some say its type of all parts with its ending. */
async function mainOf(parts: OfficeParts): Promise<Main | null> {
  let main: Main | null = null
  let ending: { readonly kind: OfficeText['kind']; readonly of: string } | null = null
  readXmlEvents(await parts.text('[Content_Types].xml'), {
    open(name, of) {
      const kind = MAIN_TYPES.find(([type]) => type.test(of('ContentType')))?.[1]
      if (kind === undefined) return
      if (name === 'Override') main ??= { kind, part: of('PartName').replace(/^\/+/, '') }
      if (name === 'Default') ending ??= { kind, of: of('Extension').toLowerCase() }
    },
  })
  return main ?? (ending === null ? null : mainEnding(parts, ending))
}

/** The main part by the relations of the whole document, where it has that ending (ISO 29500-2, 9.3). */
async function mainEnding(
  parts: OfficeParts,
  { kind, of: ending }: { readonly kind: OfficeText['kind']; readonly of: string },
): Promise<Main | null> {
  const part = await mainRelation(parts)
  if (part === null || !part.toLowerCase().endsWith(`.${ending}`)) return null
  return { kind, part }
}

async function titleOf(parts: OfficeParts): Promise<string> {
  return elementText(await parts.text('docProps/core.xml'), 'title')
}

/** Elements whose text no reader of the page sees, or sees twice. */
const WORD_SILENT: ReadonlySet<string> = new Set(['Fallback', 'del', 'moveFrom', 'instrText'])
const OFF: ReadonlySet<string> = new Set(['0', 'false', 'off'])

/**
 * Parts of their own, in the order in which a document shows them: the heads of its pages, itself, its notes, and the feet of
 * its pages.
 */
const WORD_PARTS = [/\/header$/, null, /\/(?:footnotes|endnotes)$/, /\/footer$/] as const

/** Each text once: a first page, and even pages, often have the same head. */
async function wordTexts(parts: OfficeParts, part: string): Promise<string> {
  const texts = new Set<string>()
  let length = 0
  for (const type of WORD_PARTS) {
    const named = type === null ? [part] : (await relationsOf(parts, part, type)).values()
    for (const one of named) {
      if (length >= OFFICE_TEXT.all) break
      const text = await wordText(parts, one)
      length += text.length
      if (text !== '') texts.add(text)
    }
  }
  return [...texts].join('\n\n')
}

async function wordText(parts: OfficeParts, part: string): Promise<string> {
  const lines = createLines()
  let silent = 0
  const at = { run: false, hidden: false, text: false }
  /** Runs in which a box of text stands. */
  const around: { readonly run: boolean; readonly hidden: boolean; readonly text: boolean }[] = []
  readXmlEvents(
    await parts.text(part),
    {
      open(name, of) {
        if (WORD_SILENT.has(name)) silent += 1
        if (name === 'r') Object.assign(at, { run: true, hidden: false })
        if (name === 'vanish' && at.run && !OFF.has(of('val'))) at.hidden = true
        if (name === 't') at.text = true
        // Its paragraphs are lines of their own, where the box is anchored. Its runs end none of those around it.
        if (name === 'txbxContent') around.push({ ...at })
        if (silent > 0) return
        if (name === 'txbxContent' && lines.hasText()) lines.end()
        if (name === 'tc') lines.openCell()
        if (name === 'tab' && at.run) lines.add('\t')
        if ((name === 'br' || name === 'cr') && at.run) lines.end()
      },
      close(name) {
        if (WORD_SILENT.has(name)) silent -= 1
        if (name === 'r') at.run = false
        if (name === 't') at.text = false
        if (name === 'txbxContent') Object.assign(at, around.pop())
        if (silent > 0) return
        if (name === 'p') lines.end()
        if (name === 'tc') lines.closeCell()
        if (name === 'tr') lines.closeRow()
      },
      text(text) {
        if (at.text && silent === 0 && !at.hidden && !around.some(({ hidden }) => hidden)) lines.add(text)
      },
    },
    lines.isFull,
  )
  return lines.text()
}

/** Of the slides that are shown, in their order. */
async function slidesOf(parts: OfficeParts, part: string): Promise<readonly string[]> {
  const related = await relationsOf(parts, part)
  const order: string[] = []
  readXmlEvents(await parts.text(part), {
    open(name, of) {
      const target = name === 'sldId' ? related.get(of('r:id')) : undefined
      if (target !== undefined && order.length < OFFICE_TEXT.slides) order.push(target)
    },
  })
  const slides: string[] = []
  let length = 0
  for (const [at, slide] of order.entries()) {
    if (length >= OFFICE_TEXT.all) break
    const text = slideText(await parts.text(slide))
    if (text === null) continue
    length += text.length
    slides.push(`Slide ${at + 1}\n${text}`)
  }
  return slides
}

/** Null for one that is hidden. */
function slideText(xml: string): string | null {
  const lines = createLines()
  const at = { shown: true, text: false }
  readXmlEvents(
    xml,
    {
      open(name, of) {
        if (name === 'sld' && OFF.has(of('show'))) at.shown = false
        if (name === 't') at.text = true
        if (name === 'br') lines.end()
        if (name === 'tc') lines.openCell()
      },
      close(name) {
        if (name === 't') at.text = false
        if (name === 'p') lines.end()
        if (name === 'tc') lines.closeCell()
        if (name === 'tr') lines.closeRow()
      },
      text(text) {
        if (at.text) lines.add(text)
      },
    },
    () => !at.shown || lines.isFull(),
  )
  return at.shown ? lines.text() : null
}
