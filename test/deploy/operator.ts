import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AttachUserPolicyCommand, CreateAccessKeyCommand, CreateUserCommand, IAMClient } from "@aws-sdk/client-iam";

const iam = new IAMClient();

/**
 * A person with one managed policy and nothing else.
 * @returns the profile that holds the person's credentials
 */
export async function createOperator(name: string, PolicyArn: string): Promise<string> {
  await iam.send(new CreateUserCommand({ UserName: name }));
  await iam.send(new AttachUserPolicyCommand({ UserName: name, PolicyArn }));
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName: name }));
  const file = join(tmpdir(), "credentials");
  const lines = [
    `[${name}]`,
    `aws_access_key_id=${AccessKey?.AccessKeyId}`,
    `aws_secret_access_key=${AccessKey?.SecretAccessKey}`,
  ];
  appendFileSync(file, `${lines.join("\n")}\n`);
  process.env["AWS_SHARED_CREDENTIALS_FILE"] = file;
  return name;
}
