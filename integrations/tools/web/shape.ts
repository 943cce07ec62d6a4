/**
 * Detects the kind of a document and converts it to a page. Pure except for the reader that is passed in. A reader that throws
 * gives a refusal (J-12). Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { HttpResponse } from '../../../kernel/tool/manifest.ts'
import { createPage, PAGE_LIMITS, type Page, type PageReader } from '../../extractors/page.ts'

export type DocumentKind = 'html' | 'text' | 'other'

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/
const TEXT =
  /^(?:text\/(?:plain|markdown|csv|xml)|application\/(?:json|xml|[a-z0-9.+-]{1,80}\+(?:json|xml)))$/
/** UTF-16 units of a document without a declared type that are examined. */
const SNIFF_WINDOW = 1_000

export function kindOf(contentType: string, body: string): DocumentKind {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (HTML.test(type)) return 'html'
  if (TEXT.test(type)) return 'text'
  return type === '' ? sniff(body.slice(0, SNIFF_WINDOW)) : 'other'
}

export async function shapePage(response: HttpResponse, reader: PageReader): Promise<Result<Page>> {
  const kind = kindOf(response.headers['content-type'] ?? '', response.body)
  if (kind === 'other') return err('tool_result_invalid', { rule: 'content_type' })
  if (kind === 'text') {
    const raw = { title: '', author: null, date: null, text: response.body, links: [], language: null }
    return ok(createPage(raw, response.url))
  }
  try {
    return ok(await reader.read(response.body.slice(0, PAGE_LIMITS.html), response.url))
  } catch {
    return err('tool_result_invalid', { rule: 'page_unreadable' })
  }
}

function sniff(head: string): DocumentKind {
  if (/[\0\ufffd]/.test(head)) return 'other'
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(head) ? 'html' : 'text'
}
