/**
 * Home's page reader (J-05): parses in a worker thread with a deadline and a memory limit, because parsing is
 * synchronous and its input hostile (J-12). Must not parse in this thread. Called by integrations/tools/web and
 * integrations/tools/email.
 */
import { Worker } from 'node:worker_threads'
import type { FeedReader } from '../../integrations/extractors/feed.ts'
import { type HtmlText, PAGE_LIMITS, type Page, type PageReader } from '../../integrations/extractors/page.ts'
import type { RowReader } from '../../integrations/extractors/page-rows.ts'
import type { PageAnswer, PageRequest, Reading } from './page-worker.ts'

export interface HomePageReader extends PageReader {
  read(html: string, url: string): Promise<Page>
  /** Text of a mail's HTML body. */
  readonly text: HtmlText
  readonly rows: RowReader
  readonly feed: FeedReader
  /** Ends the thread; a later call starts another. */
  close(): Promise<void>
}

/** Milliseconds per document, including the start of the thread: 20,000 nested elements would take 17 s. */
const PARSE_DEADLINE = 6_000
/** Megabytes. A document that needs more ends its thread, not the process. */
const MEMORY = { maxOldGenerationSizeMb: 256, stackSizeMb: 4 } as const

type Answer = PageAnswer['result']

/** Keeps one thread and replaces it after a deadline, crash or exception: the parsers keep state between documents. */
export function createPageReader(options: { readonly deadline?: number } = {}): HomePageReader {
  const deadline = options.deadline ?? PARSE_DEADLINE
  let worker: Worker | null = null
  let busy: Promise<unknown> = Promise.resolve()
  let ids = 0

  const stop = async (): Promise<void> => {
    const stopped = worker
    worker = null
    await stopped?.terminate()
  }
  const ask = async (source: string, reading: Reading): Promise<Answer> => {
    worker ??= startWorker()
    ids += 1
    const request = { id: ids, source: source.slice(0, PAGE_LIMITS.html), reading }
    const answer = await askWorker(worker, request, deadline)
    if (answer === null) await stop()
    return answer
  }
  const inTurn = (source: string, reading: Reading): Promise<Answer> => {
    const turn = busy.then(() => ask(source, reading))
    busy = turn.catch(() => undefined)
    return turn
  }
  return {
    read: async (html, url) => {
      const answer = await inTurn(html, { as: 'page', url })
      if (answer?.as !== 'page') throw new Error('page not readable')
      return answer.page
    },
    text: async (html) => {
      const answer = await inTurn(html, { as: 'text' })
      if (answer?.as !== 'text') throw new Error('text not readable')
      return answer.text
    },
    rows: async (html, classes) => {
      const answer = await inTurn(html, { as: 'rows', classes })
      if (answer?.as !== 'rows') throw new Error('rows not readable')
      return answer.rows
    },
    feed: async (xml) => {
      const answer = await inTurn(xml, { as: 'feed' })
      if (answer?.as !== 'feed') throw new Error('feed not readable')
      return answer.feed
    },
    close: stop,
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./page-worker.ts', import.meta.url), {
    resourceLimits: MEMORY,
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  // An idle thread must not keep the process alive.
  worker.unref()
  return worker
}

/** Null if the thread threw, died or missed the deadline. */
function askWorker(worker: Worker, request: PageRequest, deadline: number): Promise<Answer> {
  return new Promise((resolve) => {
    const finish = (answer: Answer): void => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      worker.off('error', onEnd)
      worker.off('exit', onEnd)
      resolve(answer)
    }
    const onMessage = ({ id, result }: PageAnswer): void => {
      if (id === request.id) finish(result)
    }
    const onEnd = (): void => finish(null)
    const timer = setTimeout(onEnd, deadline)
    worker.on('message', onMessage)
    worker.on('error', onEnd)
    worker.on('exit', onEnd)
    worker.postMessage(request)
  })
}
