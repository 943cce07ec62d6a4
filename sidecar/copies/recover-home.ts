/**
 * Replaces a lost home with the recovery phrase alone (DESIGN §6): the phrase yields the keys, the keys open the copies
 * at the edge, and the edge enrols the new device in place of the old one. Fetches and checks everything before the old
 * device is revoked; the state folder is put in place last. Must not run beside home. Called by `pfar recover`.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { recoverySeed, storeKey } from '../../kernel/vault/wrapped-key.ts'
import { alone, checkFree, putInPlace } from '../backup/restore.ts'
import { flushFolder } from '../backup/shelf.ts'
import { withStaged } from '../backup/staged.ts'
import { type ChosenCustody, recoverKey } from '../keys/change-key.ts'
import type { AskPassphrase } from '../keys/custody.ts'
import { randomOfNode } from '../keys/home-keys.ts'
import { openKeyStore } from '../keys/key-store.ts'
import { custodyOpener } from '../keys/open-custody.ts'
import { masterOf } from '../keys/recovery-phrase.ts'
import { openStateFolder, type StateFolder } from '../store/state-folder.ts'
import { type DeviceKey, loadDeviceKey } from '../tunnel/device-key.ts'
import { openEdgePins } from '../tunnel/edge-pins.ts'
import { createCopyKeys, recoverySigner } from './copy-keys.ts'
import { createRecoveryLine, type RecoveryLine } from './copy-line.ts'
import { writeCopyNote } from './copy-note.ts'
import { type FoundCopy, fetchCopy, findCopy } from './fetch-copy.ts'

export interface RecoverInput {
  /** Path of the state folder; it need not exist. */
  readonly state: string
  /** Origin of the edge. */
  readonly edge: string
  /** Recovery phrase as typed. */
  readonly words: string
  /** Custody of the master key from now on. */
  readonly custody: ChosenCustody
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ask: AskPassphrase
  /** The owner confirms the generation: only the owner can tell that a newer one should exist. */
  readonly confirm: (found: FoundCopy) => Promise<boolean>
  readonly replace: boolean
  /** Do everything that changes nothing. */
  readonly dryRun: boolean
  readonly now: number
}

export interface Recovered {
  readonly found: FoundCopy
  /** Where the former state folder is now, or null. */
  readonly aside: string | null
  /** The new device and the one it replaced; null in a dry run. */
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
  /** Folder of the fetched files. */
  readonly path: string
}

/**
 * Steps that ask or may fail come before the old device is revoked, and the rename after it. If interrupted, it can be
 * run again.
 */
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

/** Writes the master key into its custody only if it opens the key store of the copy. */
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

/**
 * Pins the edge key from the sealed manifest, which the old home had verified; the edge that answers now has not been.
 */
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
