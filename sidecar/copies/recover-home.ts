/**
 * A lost home box, replaced with the recovery phrase alone (DESIGN §6): the words give the keys back, the keys read the
 * copies at the edge, and the edge takes the new box in the old one's place. Everything is fetched and checked beside the
 * state folder before the old box is shut out; the folder comes last. Must not run beside home. Called by `pfar recover`.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { recoverySeed, storeKey } from '../../kernel/vault/wrapped-key.ts'
import { alone, checkFree, putInPlace } from '../backup/restore.ts'
import { flushFolder } from '../backup/shelf.ts'
import { withStaged } from '../backup/staged.ts'
import { type DeviceKey, loadDeviceKey } from '../device-key.ts'
import { openEdgePins } from '../edge-pins.ts'
import { type ChosenCustody, recoverKey } from '../keys/change-key.ts'
import type { AskPassphrase } from '../keys/custody.ts'
import { randomOfNode } from '../keys/home-keys.ts'
import { openKeyStore } from '../keys/key-store.ts'
import { custodyOpener } from '../keys/open-custody.ts'
import { masterOf } from '../keys/recovery-phrase.ts'
import { openStateFolder, type StateFolder } from '../state-folder.ts'
import { createCopyKeys, recoverySigner } from './copy-keys.ts'
import { createRecoveryLine, type RecoveryLine } from './copy-line.ts'
import { writeCopyNote } from './copy-note.ts'
import { type FoundCopy, fetchCopy, findCopy } from './fetch-copy.ts'

export interface RecoverInput {
  /** Path of the state folder; it need not exist. */
  readonly state: string
  /** Origin of the edge. */
  readonly edge: string
  /** The recovery phrase, as it was typed. */
  readonly words: string
  /** What keeps the master key from now on. */
  readonly custody: ChosenCustody
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ask: AskPassphrase
  /** The owner looks at what the edge hands out: only he can tell that it should be newer. */
  readonly confirm: (found: FoundCopy) => Promise<boolean>
  readonly replace: boolean
  /** Do everything but what changes something. */
  readonly dryRun: boolean
  readonly now: number
}

export interface Recovered {
  readonly found: FoundCopy
  /** Where the state folder that was there is now, or null. */
  readonly aside: string | null
  /** The new box, and the one that it replaced; null in a trial run. */
  readonly device: string | null
  readonly revoked: string | null
}

/** Refusals: those of `findCopy` and `fetchCopy`, key_wrong (other words), those of the custody, approval_denied, storage_failed. */
export async function recoverHome(input: RecoverInput): Promise<Result<Recovered>> {
  return alone(input.state, () => recoverAlone(input))
}

async function recoverAlone(input: RecoverInput): Promise<Result<Recovered>> {
  const free = await checkFree(input)
  if (!free.ok) return free
  const master = masterOf(input.words)
  if (!master.ok) return master
  const keys = createCopyKeys(storeKey(master.value, 'replica'), randomOfNode)
  const line = createRecoveryLine(input.edge, recoverySigner(recoverySeed(master.value)))
  const found = await findCopy({ line, keys })
  if (!found.ok) return found.reason.code === 'signature_invalid' ? otherWords() : found
  if (!(await input.confirm(found.value))) return notWanted()
  return withStaged(input.state, async (path) => {
    const fetched = await fetchCopy({ line, keys }, found.value, path)
    if (!fetched.ok) return fetched
    if (input.dryRun) return ok({ found: found.value, aside: null, device: null, revoked: null })
    return takePlace(input, { line, found: found.value, path })
  })
}

interface Staged {
  readonly line: RecoveryLine
  readonly found: FoundCopy
  /** Folder of what was fetched. */
  readonly path: string
}

/** What asks or may fail comes before the old box is shut out, and the rename after it: run again, it finds its way. */
async function takePlace(input: RecoverInput, { line, found, path }: Staged): Promise<Result<Recovered>> {
  const folder = openStateFolder(path)
  if (!folder.ok) return folder
  const held = await holdKey(input, folder.value)
  if (!held.ok) return held
  const device = loadDeviceKey(folder.value)
  if (!device.ok) return device
  const noted = noteEdge(input, { folder: folder.value, found })
  if (!noted.ok) return noted
  const enrolled = await enrol(line, { device: device.value, found })
  if (!enrolled.ok) return enrolled
  await flushFolder(path)
  const aside = await putInPlace(input, path)
  return ok({ found, aside, device: device.value.id, revoked: enrolled.value.revoked })
}

/** The master key goes into its custody only if the key store of the copy is under it. */
async function holdKey(input: RecoverInput, folder: StateFolder): Promise<Result<null>> {
  const store = openKeyStore(folder)
  if (!store.ok) return store
  try {
    const { env, ask } = input
    const epoch = store.value.epoch()
    const openCustody = custodyOpener({ folder, env, ask, mayCreate: false, epoch })
    const unlocking = { folder, store: store.value, openCustody, random: randomOfNode }
    const recovered = await recoverKey(unlocking, input.words, input.custody)
    return recovered.ok ? ok(null) : recovered
  } finally {
    store.value.close()
  }
}

/** Whom to trust stood in the sealed manifest: home had proved it, and whoever answers now has not. */
function noteEdge(
  { edge }: RecoverInput,
  { folder, found }: { readonly folder: StateFolder; readonly found: FoundCopy },
): Result<true> {
  const { number, manifest } = found
  const noted = writeCopyNote(folder, { number, at: manifest.at })
  if (!noted.ok || manifest.edgeKey === null) return noted
  return openEdgePins(folder).pin({ url: edge, publicKey: manifest.edgeKey, version: 0 })
}

async function enrol(
  line: RecoveryLine,
  { device, found }: { readonly device: DeviceKey; readonly found: FoundCopy },
): Promise<Result<{ readonly revoked: string | null }>> {
  const enrolled = await line.enrol(device.publicKey)
  if (!enrolled.ok || enrolled.value.newest === found.number) return enrolled
  const problem =
    'the old box made another copy meanwhile and is shut out now; run this again to get that one'
  return err('record_stale', { file: 'the copy at the edge', problem })
}

function otherWords(): Result<never> {
  const problem =
    'these words do not open this edge: they are of another master key, or home never sent a copy there'
  return err('key_wrong', { file: 'recovery phrase', problem })
}

function notWanted(): Result<never> {
  return err('approval_denied', { file: 'pfar recover', problem: 'nothing was changed' })
}
