/**
 * Cloudflare as wrangler meets it: the calls of its API that a deployment makes, over real HTTP, strict where the real one
 * is (token, account, unknown routes, what a new Worker must bring), and what was uploaded then runs in workerd. For
 * tests of `pfar deploy`; nothing of it is in the product.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'

const ACCOUNT = 'acc1'
const HOST = '127.0.0.1'

interface Binding {
  readonly name: string
  readonly type: string
  readonly text?: string
  readonly class_name?: string
  readonly id?: string
}

interface Metadata {
  readonly main_module: string
  readonly compatibility_date: string
  readonly compatibility_flags: readonly string[]
  readonly bindings: readonly Binding[]
  readonly migrations?: { readonly new_tag: string }
  readonly keep_bindings?: readonly string[]
}

interface Module {
  readonly path: string
  readonly type: 'ESModule' | 'Text'
}

interface Program {
  readonly metadata: Metadata
  readonly root: string
  readonly modules: Module[]
}

export interface Seen {
  readonly method: string
  readonly path: string
}

export interface CloudflareApi {
  readonly url: string
  /** What this account's Workers answer at, once one is uploaded. */
  readonly workerUrl: string
  readonly seen: readonly Seen[]
  /** Values of the Worker's secrets by name: only the platform knows them. */
  secrets(): Readonly<Record<string, string>>
  vars(): Readonly<Record<string, string>>
  /** What the account has. */
  holds(): readonly ('database' | 'worker')[]
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

const yes = (result: unknown): Answer => ({
  status: 200,
  body: {
    success: true,
    errors: [],
    messages: [],
    result,
    result_info: { page: 1, per_page: 50, count: 1, total_count: 1, total_pages: 1 },
  },
})
const no = (status: number, code: number, message: string): Answer => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
})
const NO_WORKER = no(404, 10_007, 'This Worker does not exist on your account.')

/** `workerPort`: where the Worker will answer. */
export async function startCloudflare(token: string, workerPort: number): Promise<CloudflareApi> {
  const folder = mkdtempSync(join(tmpdir(), 'pfar-cloudflare-'))
  const seen: Seen[] = []
  let worker: Miniflare | null = null
  let kept: readonly Binding[] = []
  let program: Program | null = null
  let database = false

  const restart = async (current: Program): Promise<void> => {
    await worker?.dispose()
    worker = new Miniflare(convertV4MiniflareOptions(optionsOf(current)))
    await worker.ready
  }
  const setSecrets = async (request: Request): Promise<Answer> => {
    if (program === null) return NO_WORKER
    const { secrets } = (await request.json()) as { secrets: Readonly<Record<string, Binding>> }
    const set = Object.values(secrets)
    kept = [...kept.filter(({ name }) => !set.some((each) => each.name === name)), ...set]
    await restart(program)
    return yes({ secrets: {} })
  }
  const upload = async (request: Request): Promise<Answer> => {
    const form = await request.formData()
    const metadata = JSON.parse(String(form.get('metadata'))) as Metadata
    // Secrets of earlier uploads stay; on a Worker that is not there, nothing can.
    const named = new Set(metadata.bindings.map(({ name }) => name))
    if (kept.length === 0 && metadata.bindings.some(({ type }) => type === 'inherit'))
      return no(400, 10_057, 'There is nothing to inherit from.')
    if (metadata.bindings.some(({ type, id }) => type === 'd1' && id === undefined) || !database)
      return no(400, 10_021, 'The database does not exist.')
    const secrets = kept.filter(({ type, name }) => type === 'secret_text' && !named.has(name))
    const inherited = metadata.bindings.map((each) =>
      each.type === 'inherit' ? (kept.find(({ name }) => name === each.name) ?? each) : each,
    )
    kept = [...inherited, ...secrets]
    const root = mkdtempSync(join(folder, 'program-'))
    const modules: Module[] = []
    for (const [name, part] of form.entries()) {
      if (!(part instanceof File) || name.endsWith('.map')) continue
      const path = join(root, part.name)
      writeFileSync(path, Buffer.from(await part.arrayBuffer()))
      modules.push({
        path,
        type: part.type.includes('javascript') ? ('ESModule' as const) : ('Text' as const),
      })
    }
    modules.sort(({ path }) => (path.endsWith(metadata.main_module) ? -1 : 1))
    program = { metadata, root, modules }
    await restart(program)
    return yes({
      id: 'pfar',
      etag: 'e',
      startup_time_ms: 12,
      available_on_subdomain: true,
      mutable_pipeline_id: 'm',
    })
  }
  const remove = async (): Promise<Answer> => {
    if (program === null) return NO_WORKER
    await worker?.dispose()
    ;[worker, program, kept] = [null, null, []]
    rmSync(join(folder, 'state'), { recursive: true, force: true })
    return yes(null)
  }
  const optionsOf = ({ metadata, root, modules }: Program) => {
    const texts = kept.filter(({ type }) => type === 'plain_text' || type === 'secret_text')
    const objects = kept.filter(({ type }) => type === 'durable_object_namespace')
    return {
      host: HOST,
      port: workerPort,
      cf: false,
      telemetry: { enabled: false },
      resourcePersistencePath: join(folder, 'state'),
      log: new Log(LogLevel.ERROR),
      workers: [
        {
          name: 'pfar',
          modulesRoot: root,
          modules,
          compatibilityDate: metadata.compatibility_date,
          compatibilityFlags: [...metadata.compatibility_flags],
          bindings: {
            ...Object.fromEntries(texts.map(({ name, text = '' }) => [name, text])),
            ...Object.fromEntries(
              kept.filter(({ type }) => type === 'version_metadata').map(({ name }) => [name, { id: root }]),
            ),
          },
          durableObjects: Object.fromEntries(
            objects.map(({ name, class_name = '' }) => [name, { className: class_name, useSQLite: true }]),
          ),
          d1Databases: kept.filter(({ type }) => type === 'd1').map(({ name }) => name),
        },
      ],
    }
  }
  const answer = async (method: string, path: string, request: Request): Promise<Answer> => {
    if (request.headers.get('authorization') !== `Bearer ${token}`)
      return no(403, 9_109, 'Invalid access token')
    const account = `/accounts/${ACCOUNT}`
    const script = `${account}/workers/scripts/pfar`
    switch (`${method} ${path}`) {
      case 'GET /user':
        return yes({ id: 'u', email: 'owner@home.example' })
      case 'GET /user/tokens/verify':
        return yes({ id: 't', status: 'active' })
      case 'GET /accounts':
      case 'GET /memberships':
        return yes([{ id: ACCOUNT, name: 'Mine', account: { id: ACCOUNT, name: 'Mine' } }])
      case `GET ${account}/workers/services/pfar`:
        return worker === null
          ? no(404, 10_090, 'This service does not exist')
          : yes({
              id: 'pfar',
              default_environment: {
                environment: 'production',
                script: { last_deployed_from: 'wrangler', tag: 't', tags: null },
              },
            })
      case `GET ${script}/secrets`:
        return worker === null
          ? NO_WORKER
          : yes(kept.filter(({ type }) => type === 'secret_text').map(({ name, type }) => ({ name, type })))
      case `GET ${script}/settings`:
        return worker === null
          ? NO_WORKER
          : yes({ bindings: kept.map(({ text: _text, ...rest }) => rest), tags: [] })
      case `GET ${script}/deployments`:
        return worker === null ? NO_WORKER : yes({ deployments: [] })
      case `GET ${account}/d1/database/pfar-copies`:
      case `GET ${account}/d1/database/d1d1`:
        return database
          ? yes({ uuid: 'd1d1', name: 'pfar-copies', version: 'production' })
          : no(404, 7_404, 'not found')
      case `GET ${account}/d1/database`:
        return yes(database ? [{ uuid: 'd1d1', name: 'pfar-copies', version: 'production' }] : [])
      case `POST ${account}/d1/database`:
        database = true
        return yes({ uuid: 'd1d1', name: 'pfar-copies', version: 'production' })
      case `PATCH ${script}/secrets-bulk`:
        return setSecrets(request)
      case `PUT ${script}`:
        return upload(request)
      case `DELETE ${account}/workers/services/pfar`:
      case `DELETE ${script}`:
        return remove()
      case `GET ${script}/references`:
        return yes({ services: { incoming: [], outgoing: [], pages_function: false } })
      case `GET ${account}/workers/tails/by-consumer/pfar`:
        return yes([])
      case `GET ${account}/storage/kv/namespaces`:
        return yes([])
      case `DELETE ${account}/d1/database/d1d1`:
        if (!database) return no(404, 7_404, 'not found')
        database = false
        return yes(null)
      case `GET ${account}/workers/workers/pfar`:
        return yes({
          id: 'w1',
          name: 'pfar',
          subdomain: { enabled: false, previews_enabled: false },
          observability: {},
          tags: [],
        })
      case `GET ${account}/workers/subdomain`:
        return yes({ subdomain: 'me' })
      case `POST ${script}/subdomain`:
        return yes({ enabled: true, previews_enabled: false })
      default:
        return no(404, 10_000, `no such route here: ${method} ${path}`)
    }
  }
  const server = createServer(async (incoming, outgoing) => {
    const { pathname } = new URL(`http://${HOST}${incoming.url}`)
    const method = incoming.method ?? 'GET'
    seen.push({ method, path: pathname })
    const { status, body } = await answer(method, pathname, await requestOf(incoming))
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  const textsOf = (type: string) =>
    Object.fromEntries(kept.filter((each) => each.type === type).map(({ name, text = '' }) => [name, text]))
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    workerUrl: `http://${HOST}:${workerPort}`,
    seen,
    secrets: () => textsOf('secret_text'),
    vars: () => textsOf('plain_text'),
    holds: () => [
      ...(database ? (['database'] as const) : []),
      ...(program === null ? [] : (['worker'] as const)),
    ],
    async close() {
      await worker?.dispose()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const method = incoming.method ?? 'GET'
  const headers = new Headers(incoming.headers as Record<string, string>)
  const body = method === 'GET' ? null : Buffer.concat(chunks)
  return new Request(`http://${HOST}/`, { method, headers, body })
}
