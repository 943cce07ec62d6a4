/**
 * `pfar audit verify`: verifies the chain of home's audit. Reads the store directly, beside a running
 * home. Must not show a row. Called by program.ts.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { wordsFor } from '../../../kernel/wording/words.ts'
import { brokenAuditIn } from '../../backup/audit-chain.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import { statePaths } from '../state-paths.ts'

/** Exit code 1: a row was changed, removed or inserted, or the audit cannot be read. */
export function auditVerify({ screen, environment }: CommandContext): ExitCode {
  const path = join(statePaths(environment).root, 'home.sqlite')
  const broken = existsSync(path) ? lookAt(path) : 'unread'
  if (broken === 'unread') screen.err(`There is no audit that can be read: ${path}`)
  else if (broken === null) screen.out('Every line of the audit follows from the one before it.')
  else screen.err(`Line ${broken} does not follow from the one before it. ${wordsFor('audit_broken')}`)
  return broken === null ? 0 : 1
}

function lookAt(path: string): number | null | 'unread' {
  try {
    return brokenAuditIn(path)
  } catch {
    return 'unread'
  }
}
