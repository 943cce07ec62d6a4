/**
 * Home's page reader (J-05): parses in a worker thread with a deadline and a memory limit, because parsing is
 * synchronous and its input hostile (J-12). Must not parse in this thread. Called by integrations/tools/web and
 * integrations/tools/email.
 */
import { Worker } from 'node:worker_threads'
import { type HtmlText, PAGE_LIMITS, type Page, type PageReader } from '../../integrations/extractors/page.ts'
import type { PageAnswer, PageRequest } from './page-worker.ts'

export interface HomePageReader extends PageReader {
  read(html: string, url: string): Promise<Page>
  /** Text of a mail's HTML body. */
  readonly text: HtmlText
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
  const ask = async (html: string, url: string | null): Promise<Answer> => {
    worker ??= startWorker()
    ids += 1
    const answer = await askWorker(worker, { id: ids, html: html.slice(0, PAGE_LIMITS.html), url }, deadline)
    if (answer === null) await stop()
    return answer
  }
  const inTurn = (html: string, url: string | null): Promise<Answer> => {
    const turn = busy.then(() => ask(html, url))
    busy = turn.catch(() => undefined)
    return turn
  }
  return {
    read: async (html, url) => {
      const page = await inTurn(html, url)
      if (page === null || typeof page === 'string') throw new Error('page not readable')
      return page
    },
    text: async (html) => {
      const text = await inTurn(html, null)
      if (typeof text !== 'string') throw new Error('text not readable')
      return text
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
