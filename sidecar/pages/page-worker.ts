/**
 * Worker thread that parses hostile HTML, so that a page can block or exhaust only this thread. Stateless; handles one
 * request at a time. Started by page-reader.ts.
 */
import { parentPort } from 'node:worker_threads'
import type { Page } from '../../integrations/extractors/page.ts'
import { htmlToText, readPage } from './page-parse.ts'

/** `url` null asks for the text of a mail body. */
export interface PageRequest {
  readonly id: number
  readonly html: string
  readonly url: string | null
}

export interface PageAnswer {
  readonly id: number
  /** Null if the parser threw. */
  readonly result: Page | string | null
}

parentPort?.on('message', ({ id, html, url }: PageRequest) => {
  const answer = (result: PageAnswer['result']): void => parentPort?.postMessage({ id, result })
  try {
    answer(url === null ? htmlToText(html) : readPage(html, url))
  } catch {
    answer(null)
  }
})
