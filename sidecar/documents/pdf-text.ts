/**
 * The text of a PDF by PDF.js: its first pages, as far as anybody will read, and nothing else of it. Scripts, forms, pictures, fonts
 * and embedded files are not looked at. Must not run in home's own process: what it takes apart is hostile. Called by
 * pdf-child.ts, which may read nothing but this code.
 */
import { getDocumentProxy } from 'unpdf'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

export const PDF_BOUNDS = Object.freeze({
  /** UTF-16 units of what is read: more than a writer is shown of all files together is read for nobody. */
  text: 20_000,
  /** Pages that are looked into: one that says it has millions, each empty, must not be walked to its end. */
  pages: 500,
})

export interface PdfText {
  readonly text: string
  /** That it says it has. */
  readonly pages: number
}

/**
 * Refusals: key_unavailable where it wants a password, nothing_found where its pages hold no text (pictures of pages do not),
 * field_malformed for what is no PDF.
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
    return text === '' ? err('nothing_found') : ok({ text, pages })
  } catch (error) {
    const wants = error instanceof Error && error.name === 'PasswordException'
    return err(wants ? 'key_unavailable' : 'field_malformed')
  }
}

/** Page after page until there is enough. A page that cannot be taken apart is left out, unless all are such. */
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

/** Without what no text has: its one line of JSON must not grow beyond what is taken of it. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text has
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ').trim()
}
