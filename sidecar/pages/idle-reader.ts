/**
 * The reader of pages whose thread lives only while it is used: an idle home holds no parser. Must not read anything itself. Called by home-tools.ts.
 */
import { createPageReader, type HomePageReader } from './page-reader.ts'

/** Milliseconds without a page until the parser thread is stopped. */
const READER_IDLE = 60_000

/** A reader whose thread stops when unused: it holds a parser that an idle home does not need. */
export function createIdleReader(): HomePageReader {
  const reader = createPageReader()
  let timer: NodeJS.Timeout | undefined
  let reading = 0
  const using = async <T>(work: () => Promise<T> | T): Promise<T> => {
    clearTimeout(timer)
    reading += 1
    try {
      return await work()
    } finally {
      reading -= 1
      if (reading === 0) timer = setTimeout(() => void reader.close(), READER_IDLE).unref()
    }
  }
  return {
    read: (html, url) => using(() => reader.read(html, url)),
    text: (html) => using(() => reader.text(html)),
    rows: (html, classes) => using(() => reader.rows(html, classes)),
    feed: (xml) => using(() => reader.feed(xml)),
    close: () => {
      clearTimeout(timer)
      return reader.close()
    },
  }
}
