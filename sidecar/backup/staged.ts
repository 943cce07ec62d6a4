/**
 * Temporary folder beside the state folder, in which a restore decrypts and checks before it is put in place. Newly
 * created under a random name, so that files planted by other accounts can neither block it nor receive its content.
 * Called by a restore and by a recovery, under the restore's lock.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { checkTrusted } from '../process/trusted-path.ts'
import { withStorage } from './storage-trouble.ts'

const STAGED = '.restoring'

/** Deletes the folder afterwards, unless `work` moved it. Refusals: those of `work`; storage_failed. */
export function withStaged<T>(
  state: string,
  work: (staged: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const staged = `${state}${STAGED}-${randomBytes(6).toString('hex')}`
  return withStorage(basename(state), async () => {
    try {
      await removeOld(state)
      await mkdir(dirname(state), { recursive: true, mode: 0o700 })
      await mkdir(staged, { mode: 0o700 })
      const trusted = checkTrusted(staged, 'folder') ?? err('storage_failed')
      return trusted.ok ? await work(staged) : trusted
    } finally {
      await rm(staged, { recursive: true, force: true })
    }
  })
}

/** Deletes folders that an interrupted run left, if they are this account's. */
async function removeOld(state: string): Promise<void> {
  const beside = await readdir(dirname(state)).catch(() => [])
  for (const name of beside.filter((name) => name.startsWith(basename(state) + STAGED))) {
    const path = join(dirname(state), name)
    if (checkTrusted(path, 'folder')?.ok === true) await rm(path, { recursive: true, force: true })
  }
}
