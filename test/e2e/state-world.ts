/**
 * The world that the frozen state was made in, and is opened in: a Google that holds back what it is told to, and a model
 * that plans one request, writes notes of a conversation, and otherwise says what it was shown of a few known things. Its
 * address is fixed, since stored secrets are bound to it. Holds no expectation. Called by state-v1.test.ts and by the script
 * that made the state.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type FakeOllama, startOllama } from '../fakes/ollama.ts'

/** An address of this machine that no other test uses. */
const HOST = '127.83.11.1'
const PORT = 20_917
export const GOOGLE_ORIGIN = `http://${HOST}:${PORT}`
export const MODEL = 'frozen:1b'

const EVENTS = '/calendar/v3/calendars/primary/events'
const MAILS = '/gmail/v1/users/me/messages'
/** Milliseconds: another run of the same test has the address for so long at most. */
const TAKEN_FOR = 240_000

/** What is asked for in words that no rule knows, so that the model plans it. */
export const EACH = 'please juggle every lantern that Ines has sent'
const PLAN = {
  steps: [
    { id: 's1', do: 'tool', tool: 'email.list', args: {} },
    {
      id: 's2',
      do: 'forEach',
      in: 's1.emails',
      max: 5,
      tool: 'email.read',
      args: { id: { $ref: 'item.id' } },
    },
  ],
  explanation: 'each of them',
}
/** The model repeats these where it reads them. */
export const KNOWN = ['Mrs Novak', 'number 217', 'lantern alpha', 'lantern beta', 'lantern gamma'] as const
export const NOTES = 'The owner keeps bees at the harbour and wanted a list of hives.'

export interface Asked {
  readonly line: string
  readonly authorization: string
  readonly body: string
}

export interface FrozenWorld {
  /** Every request to Google, in order. */
  readonly asked: readonly Asked[]
  readonly model: FakeOllama
  /** From now on requests whose path ends so are taken and not answered, once so many were granted. */
  hold(end: string, granted?: number): void
  /** Answers what is held, and holds nothing any more. */
  release(): void
  close(): Promise<void>
}

export async function startFrozenWorld(): Promise<FrozenWorld> {
  const asked: Asked[] = []
  const held = new Map<string, number>()
  let waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    const { pathname } = new URL(request.url ?? '/', GOOGLE_ORIGIN)
    const { authorization = '' } = request.headers
    asked.push({ line: `${request.method} ${pathname}`, authorization, body })
    if (isHeld(held, pathname)) await new Promise<void>((go) => waiting.push(go))
    const found = contentOf(pathname, body)
    response
      .writeHead(found === null ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(found))
  }
  await listen(server)
  const model = await startOllama([{ name: MODEL, bytes: 1, window: 8_192 }], said)
  return {
    ...{ asked, model },
    hold: (end, granted = 0) => void held.set(end, granted),
    release() {
      held.clear()
      for (const go of waiting) go()
      waiting = []
    },
    async close() {
      await model.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function isHeld(held: Map<string, number>, pathname: string): boolean {
  const end = [...held.keys()].find((each) => pathname.endsWith(each))
  if (end === undefined) return false
  const granted = held.get(end) ?? 0
  held.set(end, granted - 1)
  return granted <= 0
}

/** Waits while another run has the address. */
async function listen(server: Server): Promise<void> {
  for (const end = Date.now() + TAKEN_FOR; ; ) {
    const failed = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      const refuse = (error: NodeJS.ErrnoException): void => resolve(error)
      server.once('error', refuse)
      server.listen(PORT, HOST, () => {
        server.off('error', refuse)
        resolve(null)
      })
    })
    if (failed === null) return
    if (failed.code !== 'EADDRINUSE' || Date.now() > end) throw failed
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

interface Chat {
  readonly messages: readonly { readonly content: string }[]
  readonly format?: unknown
}

function said({ messages, format }: Chat): string {
  const prompt = messages.map(({ content }) => content).join('\n')
  if (prompt.includes('Task: turn the request into a plan')) {
    const own = prompt.includes(EACH) ? PLAN : { steps: [], explanation: 'no' }
    return JSON.stringify(own)
  }
  if (format !== undefined) return '{}'
  if (prompt.includes('Task: shorten the older part of a conversation')) return NOTES
  const [last = ''] = messages.slice(-1).map(({ content }) => content)
  const known = KNOWN.filter((one) => last.includes(one))
  return known.length === 0 ? 'As you wish.' : `It says: ${known.join(', ')}.`
}

/** Null for a path that nothing stands at. */
function contentOf(pathname: string, body: string): object | null {
  if (pathname === MAILS) return { messages: ['m1', 'm2', 'm3'].map((id) => ({ id })) }
  const id = pathname.startsWith(`${MAILS}/`) ? pathname.slice(MAILS.length + 1) : null
  if (id === 'm1') return mail(id, 'lantern alpha')
  if (id === 'm2') return mail(id, 'lantern beta')
  if (id === 'm3') return mail(id, 'lantern gamma')
  if (pathname === '/gmail/v1/users/me/profile') return { emailAddress: 'me@example.com' }
  if (pathname === '/calendar/v3/users/me/calendarList')
    return { items: [{ id: 'me@example.com', primary: true, selected: true }] }
  if (pathname === '/calendar/v3/freeBusy') return { calendars: { primary: { busy: [] } } }
  if (pathname !== EVENTS) return null
  return body === '' ? { items: [] } : { status: 'confirmed', ...JSON.parse(body) }
}

function mail(id: string, text: string): object {
  return {
    ...{ id, threadId: id, labelIds: ['INBOX', 'UNREAD'], internalDate: '1795000000000', snippet: text },
    payload: {
      mimeType: 'text/plain',
      headers: [
        { name: 'From', value: 'Ines <ines@friends.example>' },
        { name: 'To', value: 'owner@home.example' },
        { name: 'Subject', value: `About ${text}` },
      ],
      body: { data: Buffer.from(`Here is ${text}.`).toString('base64url') },
    },
  }
}
