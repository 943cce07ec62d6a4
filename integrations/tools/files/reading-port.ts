/** What home hands to the files tool beside the folders: readers of what is not plain text. Types only. Called by run.ts and shape.ts. */
import type { FileReader } from '../../channels/runtime/files.ts'
import type { HtmlText } from '../../extractors/page.ts'

export interface FileReading {
  /** In a process of its own. */
  readonly pdf: FileReader
  readonly htmlText: HtmlText
}
