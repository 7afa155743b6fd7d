import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { networkOf } from "../src/services/network.ts";

describe("the network of an address", () => {
  test("is the address itself for IPv4, and for what is no address", () => {
    for (const ip of ["127.0.0.1", "203.0.113.9", "", "unknown"]) assert.equal(networkOf(ip), ip);
  });

  test("is the first 64 bits of an IPv6 address, however it is written", () => {
    const network = "2001:db8:0:7::/64";
    const alike = [
      "2001:db8:0:7::",
      "2001:db8:0:7::1",
      "2001:0DB8:0000:0007:ffff:0:1:2",
      "2001:db8::7:1:2:3:4",
      "2001:db8:0:7:1:2:203.0.113.9",
    ];
    for (const ip of alike) assert.equal(networkOf(ip), network);
    assert.equal(networkOf("fe80::1%eth0"), "fe80:0:0:0::/64");
    assert.equal(networkOf("::1"), "0:0:0:0::/64");
  });

  test("differs where one of these bits does", () => {
    assert.notEqual(networkOf("2001:db8:0:7::1"), networkOf("2001:db8:0:8::1"));
    assert.notEqual(networkOf("2001:db8::1"), networkOf("2001:db9::1"));
  });
});
