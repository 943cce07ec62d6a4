/**
 * Delay of a streamed answer beyond its model (D-10): from the moment at which a scripted provider has written the first
 * paragraph until it is shown in the terminal, guarded, on both lines. Real `npm start` processes; provider and reader use the
 * same clock. Called by bench/main.ts.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Link } from '../sidecar/cli/line/link.ts'
import { atMost, type Figure, percentile } from './figures.ts'
import { lastSeen, startPlaces } from './places.ts'

const WARM_UP = 10
const SAMPLES = 60
/** Milliseconds between the first paragraph and the rest; longer than the bound. */
const REST_AFTER = 250

export async function measureStream(): Promise<readonly Figure[]> {
  const provider = await startProvider()
  const {
    open,
    private: own,
    stop,
  } = await startPlaces([
    '[models]',
    '[[models.providers]]',
    'name = "scripted"',
    'kind = "openai"',
    `base_url = "${provider.origin}/v1"`,
    'model = "scripted"',
    'edge = true',
  ])
  try {
    await sample(open, provider, WARM_UP)
    await sample(own, provider, WARM_UP)
    const edge = await sample(open, provider, SAMPLES)
    const home = await sample(own, provider, SAMPLES)
    return figures(edge, home)
  } finally {
    await stop()
    await provider.close()
  }
}

function figures(edge: readonly number[], home: readonly number[]): readonly Figure[] {
  const [fromEdge, fromHome] = [percentile(edge, 0.5), percentile(home, 0.5)]
  const name = 'first paragraph, from the provider to the terminal'
  return [
    { name: `${name}, edge, p50`, value: fromEdge, unit: 'ms', bound: atMost(fromEdge, 20, '≤ 20') },
    { name: `${name}, edge, p99`, value: percentile(edge, 0.99), unit: 'ms' },
    { name: `${name}, home, p50`, value: fromHome, unit: 'ms', bound: atMost(fromHome, 40, '≤ 40') },
    { name: `${name}, home, p99`, value: percentile(home, 0.99), unit: 'ms' },
  ]
}

async function sample(link: Link, provider: Provider, count: number): Promise<readonly number[]> {
  const samples: number[] = []
  let after = await lastSeen(link)
  // Like a chat, polls before anything is written; only then does it get drafts.
  await link.deliveries(after, 1, 'drafts')
  for (let done = 0; done < count; done += 1) {
    const sent = await link.send({ id: randomBytes(8).toString('hex'), text: 'hello' })
    if (!sent.ok) throw new Error(`not taken: ${sent.reason.code}`)
    let shown: number | null = null
    for (let answered = false; !answered; ) {
      const rows = await link.deliveries(after, 20_000, 'drafts')
      if (!rows.ok) throw new Error(`no answer: ${rows.reason.code}`)
      if (shown === null && link.draft()?.task === sent.value.task) shown = performance.now()
      const answer = rows.value.find(({ task, kind }) => task === sent.value.task && kind === 'answer')
      answered = answer !== undefined
      after = rows.value.at(-1)?.seq ?? after
    }
    if (shown === null) throw new Error('the answer came whole')
    samples.push(shown - provider.wrote())
  }
  return samples
}

interface Provider {
  readonly origin: string
  /** When it last wrote a first paragraph, by this process's clock (ms). */
  wrote(): number
  close(): Promise<void>
}

async function startProvider(): Promise<Provider> {
  let wrote = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      write(response, 'This is the first paragraph.\n\n')
      wrote = performance.now()
      void pause(REST_AFTER).then(() => {
        write(response, 'And this is the rest.', 'stop')
        response.end('data: [DONE]\n\n')
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wrote: () => wrote,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function write(response: ServerResponse, content: string, end: string | null = null): void {
  const choices = [{ index: 0, delta: { content }, finish_reason: end }]
  response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices })}\n\n`)
}
