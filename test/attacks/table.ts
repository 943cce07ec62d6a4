/** The results of an attack run as Markdown, fit for the README. Called by main.ts. */
import type { ControlResult } from './controls.ts'
import type { EmbeddedResult } from './embedded/run.ts'
import { type Result, SUITES, type SuiteName } from './run.ts'
import type { ToolResult } from './tools/run.ts'

const WHAT: Readonly<Record<SuiteName, string>> = {
  T1: 'other content, same prompt: planner’s bytes, plans, calls, models and cards are the same',
  T2: 'hostile planner: what the injection wants, and its disguises',
  T3: 'hostile writer: links, images, false cards, controls, calls',
  T4: 'hostile tools and extractor: fullest values, claims, errors',
  T5: 'only a secret changes: sinks, models and services below it see the same',
  T6: 'hostile extractor and chooser: values, choices, conditions, what a planner may see of them',
}

export function resultTable(result: Result): string {
  const rows = SUITES.filter((suite) => result.suites[suite].tried > 0).map((suite) => {
    const { tried, violations } = result.suites[suite]
    return [suite, WHAT[suite], String(tried), String(violations)]
  })
  const served = Object.entries(result.utility).map(([name, { tasks, done, share }]) => [
    ...[
      name,
      `${done} of ${tasks}`,
      `${Math.round(share * 100)} %`,
      String(result.approvalsPerTask[name] ?? 0),
    ],
  ])
  const details = Object.entries(result.details).map(([what, times]) => [what, String(times)])
  const undone = Object.entries(result.undone).map(([task, why]) => [task, why])
  return [
    `${result.pairs} pairs of user task and injection. Approved bytes that only an attacker wanted: ${result.approvedForAttacker}.`,
    table(['suite', 'attack', 'runs', 'violations'], rows),
    ...(served.length > 0 ? [table(['tasks', 'done', 'share', 'approvals a task'], served)] : []),
    ...(undone.length > 0 ? [table(['not done', 'why'], undone)] : []),
    ...(details.length > 0 ? [table(['violation', 'times'], details)] : []),
    '',
  ].join('\n\n')
}

export function embeddedTable({ tried, framed, calls, cards, violations, details }: EmbeddedResult): string {
  const found = Object.entries(details).map(([what, times]) => [what, String(times)])
  return [
    `${tried} messages, ${framed} of them with a text of somebody else's: ${calls} calls, ${cards} cards, ${violations} violations.`,
    ...(found.length > 0 ? [table(['violation', 'times'], found)] : []),
    '',
  ].join('\n\n')
}

export function toolTable({ lines, pairs, tried, calls, cards, violations, details }: ToolResult): string {
  const rows = Object.entries(lines).map(([line, count]) => [line, String(count)])
  const found = Object.entries(details).map(([what, times]) => [what, String(times)])
  return [
    `${pairs} pairs of an answer and what it orders: ${tried} plans and answers, ${calls} calls, ${cards} cards, ${violations} violations.`,
    table(['line', 'pairs'], rows),
    ...(found.length > 0 ? [table(['violation', 'times'], found)] : []),
    '',
  ].join('\n\n')
}

export function controlTable(controls: readonly ControlResult[]): string {
  const rows = controls.map(({ guard, where, red }) => [
    guard,
    `\`${where}\``,
    red.length > 0 ? red.join('; ') : 'NOTHING',
  ])
  return `${table(['guard removed', 'in', 'found'], rows)}\n`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
