ALTER TABLE `approvals` ADD `number` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `approvals_number` ON `approvals` (`number`);