ALTER TABLE `approvals` ADD `options` integer;--> statement-breakpoint
ALTER TABLE `approvals` ADD `choice` integer;