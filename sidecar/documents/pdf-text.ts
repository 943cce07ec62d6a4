/**
 * Extracts the text of a PDF with PDF.js, from its first pages, up to a limit. Ignores scripts, forms, pictures, fonts
 * and embedded files. Must not run in home's own process: its input is hostile. Called by document-child.ts, which can read
 * nothing but this code.
 */
import { getDocumentProxy } from 'unpdf'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

export const PDF_BOUNDS = Object.freeze({
  /** UTF-16 units. A writer is shown no more of all files together. */
  text: 20_000,
  /** Most pages read: a file that declares millions of empty pages must not be walked to its end. */
  pages: 500,
  /** UTF-16 units. */
  title: 300,
})

export interface PdfText {
  readonly text: string
  readonly pages: number
  /** As the file states it; programs often state none. */
  readonly title?: string
}

/**
 * Refusals: key_unavailable if it needs a password, nothing_found if its pages hold no text (scanned pages do not),
 * field_malformed if it is not a PDF.
 */
export async function pdfText(data: Uint8Array): Promise<Result<PdfText>> {
  try {
    const document = await getDocumentProxy(data, {
      ...{ isEvalSupported: false, useSystemFonts: false, disableFontFace: true, useWasm: false },
      ...{ enableXfa: false, verbosity: 0 },
    })
    const { numPages: pages } = document
    const text = await firstText(Math.min(pages, PDF_BOUNDS.pages), async (number) => {
      const { items } = await (await document.getPage(number)).getTextContent()
      return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    })
    if (text === '') return err('nothing_found')
    const title = await titleOf(() => document.getMetadata())
    return ok({ text, pages, ...(title !== '' && { title }) })
  } catch (error) {
    const wants = error instanceof Error && error.name === 'PasswordException'
    return err(wants ? 'key_unavailable' : 'field_malformed')
  }
}

/** Empty where there is none: a damaged statement must not hide the text. */
async function titleOf(metadata: () => Promise<{ readonly info: object }>): Promise<string> {
  try {
    const { info } = await metadata()
    const title: unknown = Object.hasOwn(info, 'Title') ? (info as { readonly Title: unknown }).Title : ''
    return typeof title === 'string' ? plain(title).slice(0, PDF_BOUNDS.title).toWellFormed() : ''
  } catch {
    return ''
  }
}

/** Reads pages until there is enough text. Skips a page that cannot be parsed, unless all fail. */
async function firstText(pages: number, read: (page: number) => Promise<string>): Promise<string> {
  let text = ''
  let broken = 0
  for (let page = 1; page <= pages && text.length < PDF_BOUNDS.text; page += 1) {
    try {
      const found = plain(await read(page))
      if (found !== '') text += text === '' ? found : `\n\n${found}`
    } catch {
      broken += 1
    }
  }
  if (text === '' && broken > 0) throw new Error('no page of it can be read')
  return text.slice(0, PDF_BOUNDS.text).toWellFormed()
}

/** Replaces control characters, which JSON escapes would expand beyond the output limit. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text has
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ').trim()
}
