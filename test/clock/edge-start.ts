/**
 * Miniflare whose Workers go by the test clock: each gets an entry of its own before the program as it was built, and is told
 * of every move. Called by preload.ts in the process that runs the edge.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { Miniflare, MiniflareOptions } from 'miniflare'
import { edgesOf } from './clock-file.ts'
import { MOVE_HOST, type Move } from './move.ts'

const LOOK_EVERY = 10

/** Beside the program in the edge. */
const FOLDER = 'test-clock/'
const IN_THE_EDGE = ['edge.ts', 'shifted-date.ts', 'move.ts']

interface Clock {
  /** Its file. */
  readonly clock: string
  readonly offset: () => number
}

interface Program {
  readonly name: string
  readonly manifest?: {
    readonly mainModule: string
    readonly modules: Record<string, { readonly type: string; readonly contents: string }>
  }
  readonly env?: Record<string, { readonly type: string; readonly exportName?: string }>
  readonly exports?: Record<string, { readonly type: string }>
}

export function clockedMiniflare(Real: typeof Miniflare, { clock, offset }: Clock): typeof Miniflare {
  return class extends Real {
    /** Also at first: the objects that slept over a change of the clock are asked for their alarms. */
    #taken = Number.NaN
    #moving = false
    readonly #spaces: readonly string[]
    readonly #look: NodeJS.Timeout

    constructor(options: MiniflareOptions) {
      const programs = programsOf(options)
      for (const program of programs) putBefore(program, offset())
      super({ ...options, unsafeHandleRuntimeRestart: () => this.#restarted(options) })
      this.#spaces = programs.flatMap(spacesOf)
      this.#note()
      this.#look = setInterval(() => void this.#follow(), LOOK_EVERY).unref()
    }

    override async dispose(): Promise<void> {
      clearInterval(this.#look)
      rmSync(this.#notes, { force: true })
      await super.dispose()
    }

    /** The runtime died and was started anew with the program as it was at first. */
    #restarted(options: MiniflareOptions): void {
      this.#taken = Number.NaN
      options.unsafeHandleRuntimeRestart?.()
    }

    /** Again and again until the runtime, which may have died and be started anew, takes it. */
    async #follow(): Promise<void> {
      const wanted = offset()
      if (wanted === this.#taken || this.#moving) return
      this.#moving = true
      try {
        await this.#move(wanted)
        this.#taken = wanted
        this.#note()
      } catch {
        // At the next look.
      } finally {
        this.#moving = false
      }
    }

    async #move(to: number): Promise<void> {
      const ids = await Promise.all(this.#spaces.map((space) => this.listDurableObjectIds(space)))
      const objects = this.#spaces.map((space, n) => [space, ids[n] ?? []] as const)
      const body: Move = { offset: to, objects }
      const answer = await this.dispatchFetch(`http://${MOVE_HOST}/`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`the edge did not take the move of the clock: ${await answer.text()}`)
    }

    readonly #notes = join(edgesOf(clock), String(process.pid))
    #note(): void {
      writeFileSync(this.#notes, String(this.#taken))
    }
  }
}

function programsOf(options: MiniflareOptions): readonly Program[] {
  const workers = 'workers' in options ? options.workers : [options]
  return workers.map(({ config }) => config as unknown as Program)
}

/** Namespaces of the objects that this program holds, as it is bound to them. */
function spacesOf({ env = {} }: Program): readonly string[] {
  return Object.entries(env)
    .filter(([, { type }]) => type === 'durable-object')
    .map(([name]) => name)
}

function putBefore({ manifest, exports = {} }: Program, offset: number): void {
  if (manifest === undefined) return
  const classes = Object.entries(exports).filter(([, { type }]) => type === 'durable-object')
  const entry = [
    `import { clocked, clockedFetch } from './edge.ts'`,
    `import * as program from '../${manifest.mainModule}'`,
    `export * from '../${manifest.mainModule}'`,
    ...classes.map(([name]) => `export const ${name} = clocked(program.${name})`),
    `export default clockedFetch(program.default)`,
  ]
  const modules = {
    'entry.js': entry.join('\n'),
    'start.ts': `export const START = ${offset}\n`,
    ...Object.fromEntries(IN_THE_EDGE.map((file) => [file, javaScriptOf(file)])),
  }
  for (const [name, contents] of Object.entries(modules))
    manifest.modules[FOLDER + name] = { type: 'esm', contents }
  Object.assign(manifest, { mainModule: `${FOLDER}entry.js` })
}

/** Node says of the stripping that it is an experiment, which would stand in the edge's log. */
function javaScriptOf(file: string): string {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}
