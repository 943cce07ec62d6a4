ALTER TABLE `jobs` ADD `before` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `reach` text;