/**
 * Checks this machine without a running home: version of Node, permissions of the state folder, custody of the master
 * key (E-08). Must not create, repair or unseal anything. Called by `pfar doctor`.
 */
import { existsSync, lstatSync, readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { keyStatus } from '../keys/key-status.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { bad, type Finding, good, mendable, note } from './finding.ts'

/** Oldest version that runs TypeScript files directly. */
const LEAST_NODE = 22
/** Bytes. The next checkpoint of a database may use that much. */
const LEAST_FREE = 4_000_000
/** Permission bits of group and others. */
const OTHERS = 0o077
/** Files that hold keys, or are sealed with them. */
const GUARDED = /\.(?:sqlite(?:-wal|-shm)?|key)$/

export async function lookAtMachine(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  version = process.versions.node,
): Promise<readonly Finding[]> {
  const node = nodeFinding(version)
  const account = accountFindings(process.getuid?.())
  if (!existsSync(path))
    return [
      node,
      mendable(
        'folders',
        note('state folder', `${path} is not there yet: \`pfar init\` or \`npm start\` makes it.`),
      ),
      ...account,
    ]
  return [node, folderFinding(path), ...diskFindings(path), await custodyFinding(path, env), ...account]
}

function nodeFinding(version: string): Finding {
  return Number(version.split('.', 1)[0]) >= LEAST_NODE
    ? good('node', `Node ${version}.`)
    : bad('node', `Node ${version} is too old: PFAR needs ${LEAST_NODE}, which \`npm ci\` brings along.`)
}

/** The owner may run PFAR as root by hand; a service refuses it. */
export function accountFindings(uid: number | undefined): readonly Finding[] {
  if (uid !== 0) return []
  const says =
    'You are root: what takes home over would have the whole machine. Run PFAR as an account without its rights; a service refuses root.'
  return [note('account', says)]
}

function folderFinding(path: string): Finding {
  const folder = lstatSync(path)
  if (!folder.isDirectory()) return bad('state folder', `${path} is not a folder.`)
  if (folder.uid !== process.getuid?.()) return bad('state folder', `${path} belongs to another user.`)
  if ((folder.mode & OTHERS) !== 0)
    return mendable('modes', bad('state folder', `Others may open ${path}: chmod 700 ${path}`))
  const open = openFiles(path)
  if (open.length === 0) return good('state folder', `${path} is open to nobody else.`)
  const says = `Others may read ${open.join(', ')} in ${path}: chmod 600, if nobody has.`
  return mendable('modes', bad('state folder', says))
}

/** Free space for unprivileged accounts; the reserve for root does not count. */
function diskFindings(path: string): readonly Finding[] {
  const { bavail, bsize } = statfsSync(path)
  const free = bavail * bsize
  return free >= LEAST_FREE
    ? []
    : [
        bad(
          'disk',
          `The disk of ${path} is full: ${free} bytes are free. Make room; until then nothing is kept.`,
        ),
      ]
}

/** Names of files in the state folder that hold keys or sealed data and that others may read. Ignores links. */
export function openFiles(path: string): readonly string[] {
  return readdirSync(path).filter((name) => {
    const file = lstatSync(join(path, name))
    return GUARDED.test(name) && file.isFile() && (file.mode & OTHERS) !== 0
  })
}

async function custodyFinding(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  const folder: StateFolder = { path, file: (name) => join(path, name) }
  const status = await keyStatus(folder, env)
  if (!status.ok)
    return bad('master key', `What keeps it cannot be read (${status.reason.code.replaceAll('_', ' ')}).`)
  const { kept, custody, unattended, fits, trouble } = status.value
  if (trouble !== null) return bad('master key', `It is kept ${kept}; it cannot be had now: ${trouble}`)
  if (fits === false)
    return bad('master key', 'It does not open what is stored here: `pfar key status` says more.')
  const says = `It is kept ${kept}.`
  return custody === 'development' || !unattended ? note('master key', says) : good('master key', says)
}
