/**
 * Start and stop of home, in the four phases of S000 §5 (M-23 – M-27): A foundation; B recovered state; C identity; D listeners,
 * pending tasks, and a notice to the owner. Only A and the private line can end the start. Must not make decisions. Called by
 * sidecar/home.ts.
 */

import { seedDirectives } from '../../kernel/features/directives/directive-keeping.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { SelfKnowledge } from '../../kernel/powers/ports.ts'
import { connectedIn, type LeftOver, leftOver, tellRestart } from '../../kernel/runtime/restart.ts'
import { nameIn, type SelfSnapshot } from '../../kernel/self/snapshot.ts'
import { ownConfigPath } from '../config/config.ts'
import { lineOfSetting } from '../config/config-edit.ts'
import { readBrainTemplates, shippedDigests } from '../config/home-texts.ts'
import { tellTaken } from '../config/taken-names.ts'
import { type HomeJobs, homeJobs } from '../jobs/home-jobs.ts'
import { softwareVersion } from '../process/version.ts'
import { accountParts } from '../secrets/accounts.ts'
import { tellUpdated } from '../status/updated.ts'
import { type Boot, type BootPart, createBoot } from './boot.ts'
import { openDoors } from './doors.ts'
import { type FoundationInput, layFoundation } from './foundation.ts'
import { type Wired, wireHome } from './wiring.ts'

export interface HomeRuntime {
  readonly socket: string
  readonly edge: string | null
  /** Stops intake, lets running work reach a durable state, and closes. The next start resumes the rest. */
  stop(): Promise<void>
}

export interface RuntimeInput extends FoundationInput {
  /** Called when the owner stops home over the socket. */
  readonly onShutdown: () => void
}

/** Refusals: storage_failed, config_malformed, record_malformed, key and template codes. Each names the problem. */
export async function startHome(input: RuntimeInput): Promise<Result<HomeRuntime>> {
  let cameLate = (): void => undefined
  const clock = (): number => performance.now()
  const boot = createBoot({ clock, fault: input.onFault, cameLate: () => cameLate() })
  const laid = await layFoundation(boot, input)
  if (!laid.ok) return laid
  const wired = await boot.need('A', 'templates and policy', () =>
    wireHome(laid.value, input.onFault, input.onLine),
  )
  // When a late part becomes ready, the assistant's description is updated.
  if (wired.ok) cameLate = () => wired.value.renewed('startup')
  const started = wired.ok ? await startOn(boot, wired.value, input) : wired
  if (!started.ok) laid.value.close()
  return started
}

async function startOn(
  boot: Boot,
  home: Wired,
  { onShutdown }: Pick<RuntimeInput, 'onShutdown'>,
): Promise<Result<HomeRuntime>> {
  const { powers, engine } = home
  const jobs = homeJobs(home)
  home.link.copies = jobs.copyNow
  const left = leftOver(powers)

  const parts = await boot.parts('B', partsOf(home, jobs))
  const troubles = parts
    .filter(({ state }) => state !== 'ready')
    .map(({ part }) => (part === MODELS ? modelsTrouble(home) : part))

  await boot.parts('C', [{ name: 'identity', run: () => takePicture(powers) }])

  const started = troubles.length === 0 ? {} : { startTroubles: troubles }
  const doors = await openDoors(boot, home, { jobs, started, onShutdown })
  if (!doors.ok) {
    await Promise.all([jobs.stop(), home.closeTools()])
    return doors
  }
  engine.start()
  // Channels start last: messages that arrived meanwhile are pending at their services (M-26).
  const lines = home.chats.filter(({ activation, now }) => activation !== null && now() !== null)
  const listening = lines.map(({ declaration: { name }, listen }) => ({
    name,
    run: async () => ok(await listen()),
  }))
  await boot.parts('D', listening)
  await boot.parts('D', [{ name: 'word to the owner', run: () => tellOwner(home, left, troubles) }])
  await boot.parts('D', [
    { name: 'names that were taken', run: () => tellTaken({ ...home, notes: home.database.notes }) },
  ])

  await boot.parts('D', [{ name: 'news of an update', run: () => tellSoftware(home) }])

  return ok({
    socket: doors.value.socket,
    edge: home.config.edge,
    async stop() {
      await doors.value.close()
      home.channels.stop()
      await Promise.all(home.chats.map((chat) => chat.stop()))
      await Promise.all([home.link.edge?.stop(), engine.stop(), jobs.stop()])
      await home.closeTools()
      home.close()
    },
  })
}

function tellSoftware({ powers, database: { notes } }: Wired): Promise<Result<boolean>> {
  return tellUpdated({
    powers,
    notes,
    software: { version: softwareVersion(), files: shippedDigests() },
  })
}

/** State that home recovers from its disk, each part on its own (M-24). */
function partsOf({ powers, tools, config, vault }: Wired, jobs: HomeJobs): readonly BootPart[] {
  const manifests = tools.tools.map(({ manifest }) => manifest)
  const seed = async (): Promise<Result<unknown>> => ok(await seedDirectives(powers, readBrainTemplates))
  return [
    { name: 'directive files', run: seed },
    { name: MODELS, run: () => checkModels(config.models) },
    ...accountParts({ config, manifests, secrets: vault.secrets }),
    ...jobs.parts,
  ]
}

const MODELS = 'models'

/** Names the invalid setting and its line; contains nothing else of the file. */
function modelsTrouble({ config, env, folder }: Wired): string {
  const { trouble } = config.models
  if (trouble === null) return MODELS
  const line = lineOfSetting(ownConfigPath(env, folder.path), trouble.key)
  const where = line === null ? 'config.toml' : `config.toml line ${line}`
  return `${MODELS} (${where}: ${trouble.key} ${trouble.problem})`
}

/** Home runs without models. The startup notice and `pfar models` say what is wrong. */
function checkModels({ trouble }: Wired['config']['models']): Result<true> {
  return trouble === null ? ok(true) : err('config_malformed', trouble)
}

/** Takes a new snapshot even if there is one: only now have all parts finished or timed out (M-25). */
function takePicture({ self }: SelfKnowledge): Result<SelfSnapshot> {
  self.touch('startup')
  return ok(self.current())
}

/** Notifies the owner on the private line, at most once per interval. A failed notice does not stop home. */
async function tellOwner(
  { powers, database: { notes }, isNew, secrets }: Wired,
  left: LeftOver,
  troubles: readonly string[],
): Promise<Result<unknown>> {
  const picture = powers.self.current()
  const connected = connectedIn(picture)
  const now = powers.now()
  const told = await tellRestart(powers, {
    id: `restart:${now}`,
    facts: {
      ...{ ...connected, first: isNew, name: nameIn(picture.sections), troubles },
      offers: secrets.offers.waiting().length,
    },
    left,
    lastTold: notes.read('restartTold'),
  })
  // The first start is not announced as a restart, so that the next one still is.
  if (told.ok && told.value && !isNew) notes.write('restartTold', now)
  return told
}
