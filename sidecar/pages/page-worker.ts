/**
 * Worker thread that parses hostile HTML and XML, so that a document can block or exhaust only this thread. Stateless; handles
 * one request at a time. Started by page-reader.ts.
 */
import { parentPort } from 'node:worker_threads'
import type { RawFeed } from '../../integrations/extractors/feed.ts'
import type { Page } from '../../integrations/extractors/page.ts'
import type { PageRows, RowClasses } from '../../integrations/extractors/page-rows.ts'
import { feedIn } from './feed-parse.ts'
import { htmlToText, readPage } from './page-parse.ts'
import { rowsIn } from './page-rows.ts'

/** What a document is read as: an article, the text of a mail body, rows, or a feed. */
export type Reading =
  | { readonly as: 'page'; readonly url: string }
  | { readonly as: 'text' }
  | { readonly as: 'rows'; readonly classes: RowClasses }
  | { readonly as: 'feed' }

export interface PageRequest {
  readonly id: number
  readonly source: string
  readonly reading: Reading
}

export type PageResult =
  | { readonly as: 'page'; readonly page: Page }
  | { readonly as: 'text'; readonly text: string }
  | { readonly as: 'rows'; readonly rows: PageRows }
  | { readonly as: 'feed'; readonly feed: RawFeed | null }

export interface PageAnswer {
  readonly id: number
  /** Null if the parser threw. */
  readonly result: PageResult | null
}

function read(source: string, reading: Reading): PageResult {
  switch (reading.as) {
    case 'page':
      return { as: 'page', page: readPage(source, reading.url) }
    case 'text':
      return { as: 'text', text: htmlToText(source) }
    case 'rows':
      return { as: 'rows', rows: rowsIn(source, reading.classes) }
    case 'feed':
      return { as: 'feed', feed: feedIn(source) }
  }
}

parentPort?.on('message', ({ id, source, reading }: PageRequest) => {
  const answer = (result: PageAnswer['result']): void => parentPort?.postMessage({ id, result })
  try {
    answer(read(source, reading))
  } catch {
    answer(null)
  }
})
