/**
 * Starts the demo workspace on this machine, for an owner without an account: a mailbox, a calendar and a page to read.
 * Must not reach the network. Called by bring-up.ts.
 */
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { StatePaths } from '../../sidecar/cli/state-paths.ts'
import { DEFAULT_PORT } from './arguments.ts'
import { type KeptChild, keepChild, lastLogLine } from './child.ts'
import { childEnvironment } from './environment.ts'
import { done, type Outcome, trouble } from './outcome.ts'
import { preferredPort } from './port.ts'

/**
 * Ports of the emulator and of the site: the same at every start if they are free, so that the page keeps its address.
 */
const DEMO_PORTS: readonly number[] = [DEFAULT_PORT + 1, DEFAULT_PORT + 2]

const ANY_PORTS: readonly number[] = [0, 0]

const place = z.object({ google: z.string(), pages: z.string(), article: z.string() })

/** Origins of the two servers, and the URL of the page. */
export type DemoPlace = z.infer<typeof place>

export interface Demo extends DemoPlace {
  readonly child: KeptChild
}

export interface DemoInput {
  readonly paths: StatePaths
  readonly timezone: string
  readonly say: (text: string) => void
}

export async function startDemo(input: DemoInput): Promise<Outcome<Demo>> {
  const first = await startAt(input, DEMO_PORTS)
  // Another process may have taken the port in the meantime.
  return first.ok ? first : startAt(input, ANY_PORTS)
}

async function startAt(
  { paths, timezone, say }: DemoInput,
  wanted: readonly number[],
): Promise<Outcome<Demo>> {
  const log = join(paths.logs, 'demo.log')
  const ports = await Promise.all(wanted.map(preferredPort))
  const child = keepChild({
    name: 'demo',
    command: ['scripts/demo/main.js', timezone, ...ports.map(String)],
    environment: childEnvironment(process.env),
    log,
    onCrash: (pauseMs) =>
      say(`demo   stopped on its own; starting it again in ${pauseMs / 1_000} s (${log})`),
  })
  const line = await child.ready
  const found = line === null ? null : z.safeParse(place, JSON.parse(line))
  if (found?.success) return done({ ...found.data, child })
  await child.stop()
  return trouble(
    `The demo workspace did not start: ${lastLogLine(log)} (${log}). Go without it: npm start -- --no-demo`,
  )
}
