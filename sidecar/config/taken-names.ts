/**
 * Detects the owner's own commands whose names a newer version has taken for built-in commands. The built-in one runs,
 * and the owner is notified once of each, so that an old configuration is not refused. Called by runtime.ts at the
 * start, and by `pfar doctor`.
 */

import { type DeliverPorts, tellOwner } from '../../kernel/features/deliveries/deliver.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { takenNames } from '../../kernel/operations/commands.ts'
import type { OwnerChats } from '../../kernel/powers/ports.ts'
import { bad, type Finding } from '../doctor/finding.ts'
import type { HomeNotes } from '../store/home-notes.ts'
import type { Config } from './config.ts'

export interface TakenInput {
  readonly powers: DeliverPorts & OwnerChats
  readonly config: Pick<Config, 'commands'>
  readonly notes: HomeNotes
}

/** True if there was something new to announce. Refusals: those of a delivery. */
export async function tellTaken({ powers, config, notes }: TakenInput): Promise<Result<boolean>> {
  const taken = takenNames(config.commands)
  const known = notes.read('namesTaken') ?? []
  const news = taken.filter((name) => !known.includes(name))
  if (news.length > 0) {
    const id = `command-taken:${news.join(',')}`
    const told = await tellOwner(powers, { id, code: 'command_taken', words: takenWords(news) })
    if (!told.ok) return told
  }
  // Forgets a name that no longer clashes, so that it is announced again if it returns.
  if (news.length > 0 || known.length > taken.length) notes.write('namesTaken', [...taken])
  return ok(news.length > 0)
}

export function takenFindings(config: Pick<Config, 'commands'>): readonly Finding[] {
  const taken = takenNames(config.commands)
  return taken.length === 0 ? [] : [bad('commands', takenWords(taken))]
}

function takenWords(names: readonly string[]): string {
  const listed = names.map((name) => `/${name}`).join(', ')
  return names.length === 1
    ? `Your own command ${listed} has the name of one of the program's, which is the one that runs. Name yours otherwise in config.toml.`
    : `Your own commands ${listed} have names of the program's, which are the ones that run. Name yours otherwise in config.toml.`
}
