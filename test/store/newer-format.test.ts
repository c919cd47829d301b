import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect } from "vitest";
import { TABLE_NAME } from "./dynamo.ts";
import { delivery, FLEET, JOB, MINUTE, T0, test } from "./scene.ts";

test("a job whose state a newer release has written is refused by name, and the state stays as it is", async ({
  scene,
}) => {
  await scene.finish(await scene.hold(delivery()));
  await scene.table.client.send(
    new UpdateItemCommand({
      TableName: TABLE_NAME,
      Key: marshall({ pk: `${FLEET}#job#${JOB}`, sk: "state" }),
      UpdateExpression: "SET #v = :v",
      ExpressionAttributeNames: { "#v": "v" },
      ExpressionAttributeValues: marshall({ ":v": 2 }),
    }),
  );
  const before = await scene.state();

  await expect(scene.begin(delivery({ at: T0 + MINUTE }))).rejects.toMatchObject({ code: "STORE_ITEM_NEWER" });
  expect(await scene.state()).toEqual(before);
});
