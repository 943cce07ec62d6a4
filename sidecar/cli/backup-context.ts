/**
 * Shared parts of the backup and restore commands: locations, messages for refusals, passphrase prompts. Must not do
 * any command's work. Called by backup-command.ts and restore-command.ts.
 */
import { join, resolve } from 'node:path'
import { err, ok, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import { type Backup, readBackup } from '../backup/open-backup.ts'
import { byAge, isBackupName } from '../backup/retention.ts'
import { namesOn, type Shelf, shelfOf } from '../backup/shelf.ts'
import { loadConfig } from '../config/config.ts'
import { stateFolderPath } from '../store/state-folder.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { createPassphrasePrompt } from './passphrase.ts'
import { sentenceFor } from './words.ts'

export interface BackupPlaces {
  readonly state: string
  readonly shelf: Shelf
  readonly timezone: string
}

/** From the configuration. `from` replaces its folder: after a loss there is no configuration. */
export function backupPlaces({ environment }: CommandContext, from: string | null): Result<BackupPlaces> {
  const state = stateFolderPath(environment)
  const config = loadConfig(environment, state)
  if (!config.ok) return config
  const { timezone } = config.value.owner
  const shelf = from === null ? shelfOf(state, config.value) : { path: resolve(from), create: false }
  return ok({ state, shelf, timezone })
}

/** The backup named `date`, or the newest. Refusals: nothing_found, those of `readBackup`. */
export async function findBackup(shelf: Shelf, date: string | null): Promise<Result<Backup>> {
  const names = await namesOn(shelf.path)
  const name = date ?? byAge(names)[0]
  if (name !== undefined && isBackupName(name) && names.includes(name))
    return readBackup(join(shelf.path, name))
  const problem = date === null ? 'there is no backup in it' : 'there is no backup of that date in it'
  return err('nothing_found', { file: shelf.path, problem })
}

/** Refusal if no passphrase was typed. */
export function noPassphrase(): Refusal {
  return { code: 'credential_missing', facts: { problem: 'No passphrase was given.' } }
}

/** Asks each question on stderr, or reads the next line of stdin. Null if an answer is missing. */
export async function askPassphrases(questions: readonly string[]): Promise<readonly string[] | null> {
  const prompt = createPassphrasePrompt({ input: process.stdin, output: process.stderr })
  try {
    const answers: string[] = []
    for (const question of questions) {
      const answer = await prompt.ask(question)
      if (answer === null) return null
      answers.push(answer)
    }
    return answers
  } finally {
    prompt.close()
  }
}

/**
 * `file: what to do`; without a file, the problem is a whole sentence. Facts of these refusals are names and fixed
 * phrases.
 */
export function failBackup({ screen }: CommandContext, reason: Refusal): ExitCode {
  const { file, key = file, problem } = reason.facts
  if (problem === undefined) screen.err(sentenceFor(reason))
  else screen.err(key === undefined ? String(problem) : `${file ?? key}: ${problem} (${reason.code})`)
  return 1
}
