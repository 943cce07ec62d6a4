/** Declares `pfar status` and `pfar audit verify`: names and options. Must not do their work. Listed in index.ts. */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from '../command.ts'
import { statusCommand } from '../commands/status-command.ts'
import { groupOf } from '../operation-program.ts'
import type { LocalCommand } from './local.ts'

function addStatus(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('status')
    .description('what runs where')
    .option('--json', 'one JSON document', false)
    .action(async ({ json }: { json: boolean }) => done(await statusCommand(context, json)))
}

function addVerify(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  groupOf(program, ['audit'])
    .command('verify')
    .description('whether every line is as it was written; fails if one is not')
    .action(async () => {
      // Loaded on demand: it brings a database that no other command here needs.
      const { auditVerify } = await import('../commands/audit-command.ts')
      done(await auditVerify(context))
    })
}

export const STATUS: LocalCommand = {
  names: ['status'],
  why: 'process',
  reason: 'it says of both places whether they run at all, and starts neither',
  add: addStatus,
}

export const VERIFY: LocalCommand = {
  names: ['audit verify'],
  why: 'stopped',
  reason: 'it reads the file itself, whatever a home that runs would say of it',
  add: addVerify,
}
