/** What home hands to the files tool beside the folders: readers of what is not plain text. Types only. Called by run.ts and shape.ts. */
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { HtmlText } from '../../extractors/page.ts'

export interface FileReading {
  /** In a process of its own. Refusals: sandbox_missing; any other means that there is no text that can be read. */
  readonly pdf: (bytes: Uint8Array) => Promise<Result<{ readonly text: string }>>
  readonly htmlText: HtmlText
}
