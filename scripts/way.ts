/**
 * `npm run way`: the product files on the call path of the owner's "hello" from Telegram's webhook to the reply at the edge, in
 * call order: those with a function on the stack when something is handed to an object, written, sent to the model or sent out.
 * Measures an instrumented copy of the tree. `--against FOLDER`: an older tree as well; `--all`: every file that ran.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Node, parseSync, Visitor } from 'oxc-parser'
import { botMessage, edgeBindings, OWNER } from '../bench/path.ts'
import { startPathWorld } from '../bench/path-world.ts'
import { bundle, start } from '../bench/runtime.ts'

const ROOT = join(import.meta.dirname, '..')
const PRODUCT = ['kernel', 'integrations', 'durable-objects', 'worker']
/** Files and folders that the edge is bundled from. */
const BUNDLED = [...PRODUCT, 'migrations', 'templates', 'wrangler.toml', 'tsconfig.base.json', 'package.json']
/** Number of messages before the measured one: the first ones create the object, its tables and its caches. */
const WARM_UP = 3
/** Time in ms after which the work that follows an earlier message's reply is done. */
const SETTLED = 1_000
const SEEN = '/__way'

/** Entry of the instrumented edge. SEEN returns what was recorded since the last call, until the reply was sent. */
const ENTRY = `
import edge from './worker/index.ts'
import * as objects from './worker/index.ts'

Error.stackTraceLimit = 1_000
globalThis.__way = { ran: new Set(), stacks: [], ended: true }
const way = globalThis.__way
const mark = () => { if (!way.ended) way.stacks.push(new Error().stack) }

const send = globalThis.fetch
globalThis.fetch = (input, init) => {
  mark()
  way.ended ||= String(input?.url ?? input).endsWith('/sendMessage')
  return send(input, init)
}

const watched = new Set()
const watchSql = (sql) => {
  const shared = Object.getPrototypeOf(sql)
  if (watched.has(shared)) return
  watched.add(shared)
  const { exec } = shared
  shared.exec = function (...query) { if (!/^\\s*select/i.test(query[0])) mark(); return Reflect.apply(exec, this, query) }
}
const withSql = (Base) => class extends Base {
  constructor(context, env) { watchSql(context.storage.sql); super(context, env) }
}
export const PrincipalObject = withSql(objects.PrincipalObject)
export const KernelObject = withSql(objects.KernelObject)
export const TunnelObject = withSql(objects.TunnelObject)

const withMethods = (stub) => new Proxy(stub, {
  get: (target, name) => name === 'then' ? undefined : (...given) => { mark(); return target[name](...given) },
})
const withStubs = (namespace) => new Proxy(namespace, {
  get: (target, name) => (...given) => {
    const result = target[name](...given)
    return name === 'get' || name === 'getByName' ? withMethods(result) : result
  },
})
export default {
  ...edge,
  fetch(request, env, context) {
    const { PRINCIPALS, KERNEL, TUNNEL } = env
    const spied = { PRINCIPALS: withStubs(PRINCIPALS), KERNEL: withStubs(KERNEL), TUNNEL: withStubs(TUNNEL) }
    if (new URL(request.url).pathname !== '${SEEN}') return edge.fetch(request, { ...env, ...spied }, context)
    const seen = { ran: [...way.ran], stacks: way.stacks }
    Object.assign(way, { ran: new Set(), stacks: [], ended: false })
    return Response.json(seen)
  },
}
`

/** Prepended to every instrumented file without a line break, so that line numbers stay those of the source. */
const NOTE =
  'const __ran = (name) => { if (globalThis.__way?.ended === false) globalThis.__way.ran.add(name) };'

interface Seen {
  /** Files in which a function ran, in the order of their first call. */
  readonly ran: readonly string[]
  readonly stacks: readonly string[]
}

interface Way {
  readonly ran: readonly string[]
  readonly onPath: readonly string[]
}

async function wayOf(root: string): Promise<Way> {
  const copy = mkdtempSync(join(tmpdir(), 'pfar-way-'))
  try {
    for (const part of BUNDLED) cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const part of PRODUCT) instrument(copy, part)
    writeFileSync(join(copy, 'way.ts'), ENTRY)
    return await measure(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function measure(root: string): Promise<Way> {
  const source = { config: 'wrangler.toml', entry: 'way.ts', root, readable: true }
  const made = await bundle(source)
  const world = await startPathWorld()
  const keys = { secret: 'a'.repeat(64), token: `4242:${'b'.repeat(35)}` }
  const runtime = await start(source, made, edgeBindings(world, keys), { unlimited: true })
  const say = () => botMessage(world, { runtime, ...keys }, { from: OWNER, path: '/telegram/open' })
  const seen = async () => (await (await fetch(runtime.origin + SEEN)).json()) as Seen
  try {
    for (let told = 0; told < WARM_UP; told += 1) await say()
    await pause(SETTLED)
    await seen()
    await say()
    const { ran, stacks } = await seen()
    const fileAt = filesOf(readFileSync(join(made.folder, 'way.js'), 'utf8'))
    const onPath = stacks.flatMap((stack) => linesIn(stack).map(fileAt).filter(isProduct).toReversed())
    return { ran, onPath: [...new Set(onPath)] }
  } finally {
    await runtime.stop()
    await world.close()
    made.remove()
  }
}

const isProduct = (file: string): boolean => PRODUCT.some((part) => file.startsWith(`${part}/`))

/** Lines of the frames, innermost first. */
function linesIn(stack: string): readonly number[] {
  return [...stack.matchAll(/:(\d+):\d+\)?$/gm)].map(([, line]) => Number(line))
}

/** The source file of a bundle's line: the bundler heads each file with a comment of its path. */
function filesOf(bundled: string): (line: number) => string {
  const files: string[] = []
  for (const text of bundled.split('\n'))
    files.push(/^\/\/ (\S+\.\w+)$/.exec(text)?.[1] ?? files.at(-1) ?? '')
  return (line) => files[line - 1] ?? ''
}

function instrument(root: string, folder: string): void {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.d)\.ts$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    writeFileSync(path, withNotes(relative(root, path), readFileSync(path, 'utf8')))
  }
}

/** The source with a recording statement at the start of each function. */
function withNotes(file: string, source: string): string {
  const inserts: [at: number, text: string][] = []
  const call = `__ran(${JSON.stringify(file)})`
  const note = ({ body }: { readonly body: Node | null }): void => {
    if (body?.type === 'BlockStatement') inserts.push([body.start + 1, `${call};`])
    else if (body !== null) inserts.push([body.start, `(${call},`], [body.end, ')'])
  }
  new Visitor({ FunctionDeclaration: note, FunctionExpression: note, ArrowFunctionExpression: note }).visit(
    parseSync(file, source).program,
  )
  let text = source
  for (const [at, insert] of inserts.toSorted(([a], [b]) => b - a))
    text = text.slice(0, at) + insert + text.slice(at)
  return NOTE + text
}

const { values } = parseArgs({
  options: { against: { type: 'string' }, all: { type: 'boolean', default: false } },
})
for (const root of values.against === undefined ? [ROOT] : [ROOT, values.against]) {
  const { ran, onPath } = await wayOf(root)
  console.log(`${root}: ${onPath.length} files on the call path, ${ran.length} in which a function ran`)
  for (const file of values.all ? ran : onPath) console.log(`  ${file}`)
}
process.exit(0)
